/** Words that forgeries join to the name of a site, and that sites of its owner hardly ever have. */
const SURE = `
account login loginn logins logon password passwort secure secured securlty signin signon verif verificacion
verification verified verify wallet`;

/** Words that forgeries join to the name of a site, but sites of its owner may have as well. */
const TELLING = `
acc accnt accounts acct activate activation active activity actualisation actualizacion adresse aduana aktualisierung
alert alerts anmeldung appeal assist assurance attachment atualizacao atualizar atualize auth authenticate
authentication authorize bestaetigung bestatigung betaling bezorging bill billing bireysel blocked bonus cadastro claim
client cliente clientes clients colis compte confirm confirmacion confirmation conta contact copyright courts credential
credentials cuenta customer customers customs decline declined deliveries delivery disable disabled dispute disputed doc
docs document dogana douane espace facture fee fees find gebuehr gift giris giveaway giveaways guncelleme help
helpcenter helpdesk hilfe id invoice invoices invoid islem islemler kampanya konto kunde kunden lieferung limit limited
limits livraison lock locked log messages mfa notification notifications okta order orders pacco package paiement
paquete parcel payment payments postage prize problem profile protect protection recover recovery redeem redelivery
refund refunds register remboursement renew reset resolution restore restricted resume reverify review reward safe
safety schedule secur seguridad sendung servicio servizio shipment sicher sicherheit sigin sign signup soporte
spedizione sube subem subscribe subscription suivi support suspend suspended suspension tax toll tolls tracking transfer
unlock unusual update updated updates upgrade valid validate validation validator verificatie verifier wallets warning
webmail zoll zustellung`;

/** Words that forgeries join to the name of a site, and others only to names that are also common words. */
const STRONG = `
airdrop airdrops bankasi bankasl enligne https ico jpan jpco mint official promo uservalidate vww www wwww`;

/** Words that forgeries join to the name of a site, and others rarely do. */
const UNUSUAL = `
checkdate covid19 intl marketplace member members membership memberships mobile sellercentral sso`;

/**
 * Words that forgeries join to the name of a site, but others do as well. Words that owners often put into the names of
 * their own sites, such as "group", are in neither list.
 */
const COMMON = `
access ads alerta apple appstore au az bank banka banking bnk br browser btc buyer ca card cards care center centre cgi
chat check co code coin com connect crypto dapp dapps de detail details download drive dx e email es eth eu file files
form fr free gb get go gov gratis hello home http identity in indonesia info ios ip it japan jp link live location mail
manage maps market mobil mon my net new nft nl notice now office one online org own page pages paket pay pdf ph pl
portal premier premium rewards ru s sale sales security seller service services share shop site sms social ssl storage
store storys summary sw swap tc team terms token tr tt uk us usa user users vip web webapp webapps`;

/** The weights of the five kinds of words. */
export const IS_SURE = 64;
export const TELLS = 16;
const IS_STRONG = 4;
export const IS_UNUSUAL = 2;
export const IS_COMMON = 1;

const WEIGHTS: ReadonlyMap<string, number> = new Map(
  [
    [SURE, IS_SURE] as const,
    [TELLING, TELLS] as const,
    [STRONG, IS_STRONG] as const,
    [UNUSUAL, IS_UNUSUAL] as const,
    [COMMON, IS_COMMON] as const,
  ].flatMap(([words, weight]) =>
    words
      .trim()
      .split(/\s+/)
      .map((word) => [word, weight] as const),
  ),
);

/** How much a word beside the name of a site tells of a forgery; 0 for any other text. */
export function weightOf(word: string): number {
  return WEIGHTS.get(word) ?? 0;
}

const DIGITS = /^\d+$/;
const LONGEST = 16;

/**
 * How much a text tells of a forgery if it consists of such words and of digits alone; `null` if it has anything else.
 * Of the ways in which the text can be split, the one with the fewest words counts: `plus` is not `pl` and `us`.
 */
export function weightOfWords(text: string): number | null {
  /** The fewest words in which each beginning of the text can be split, and the most that so many words weigh. */
  const fewest: number[] = [0];
  const weights: number[] = [0];
  for (let end = 1; end <= text.length; end++) {
    fewest[end] = Infinity;
    for (let start = Math.max(0, end - LONGEST); start < end; start++) {
      const count = fewest[start]! + 1;
      if (count === Infinity || count > fewest[end]!) continue;
      const word = text.slice(start, end);
      // The end of `webdesign` is no word of its own.
      const own = word === "sign" && start > 0 ? 0 : weightOf(word);
      if (own === 0 && !DIGITS.test(word)) continue;
      // One or two letters are usually part of another word, such as the last one of "pages".
      const weight = weights[start]! + (word.length > 2 ? own : 0);
      if (count === fewest[end] && weight <= weights[end]!) continue;
      fewest[end] = count;
      weights[end] = weight;
    }
  }
  return fewest[text.length] === Infinity ? null : weights[text.length]!;
}
