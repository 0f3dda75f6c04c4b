/** Words that forgeries join to the name of a site, in several languages. */
const TELLING = `
acc accnt account accounts acct activate activation active activity actualizacion adresse aktualisierung alert alerts
anmeldung appeal assist assurance attachment atualizacao atualizar atualize auth authenticate authentication authorize
bestatigung bestaetigung bill billing bireysel blocked bonus cadastro case claim client cliente clientes clients
compte confirm confirmation confirmacion conta contact copyright courts credential credentials cuenta customer
customers customs decline declined delivery deliveries disable disabled dispute disputed doc docs document espace
facture fee fees find gift giris giveaway giveaways guncelleme help helpcenter helpdesk hilfe id identity invoice
invoices invoid islem islemler kampanya konto kunde kunden limit limited limits lock locked log login loginn logins
logon messages mfa notice notification notifications okta order orders package parcel password passwort payment
payments prize problem protect protection profile recover recovery redelivery refund refunds register remboursement
renew reset resolution restore restricted resume reverify review reward rewards safe safety schedule secur secure
secured security securlty seguridad service services servicio servizio sicher sicherheit sign signin signon signup soporte
sube subem subscribe subscription support suspend suspended suspension tax toll tolls tracking transfer unlock unusual
update updated updates upgrade valid validate validation validator verif verificacion verification verified verify
wallet wallets warning webmail`;

/** Words that forgeries join to the name of a site, but others do as well. */
const COMMON = `
access ads airdrop airdrops alerta app apple apps appstore asia au az bank banka bankasi bankasl banking bnk br
browser btc buyer ca card cards care center centre cgi chat check checkdate co code coin com connect covid19 crypto
dapp dapps de detail details direct download drive dx e email enligne es eth eu express file files form fr free gb get
global go gov gratis group hello home http https ico inc indonesia info intl in ios ip it japan jp jpan jpco link live
location mail manage management maps market marketplace member members membership memberships mint mobil mobile mon my
net new news nft nl now office official one online org own page pages pay pdf ph pl plus portal premier premium pro ru
s sale sales seller sellercentral share shop site sms social ssl store storage storys summary sw swap system tc
team terms token tr tt uk us usa user users uservalidate validate vip web webapp webapps world www wwww`;

const TELLING_WORDS: ReadonlySet<string> = new Set(TELLING.trim().split(/\s+/));
const COMMON_WORDS: ReadonlySet<string> = new Set(COMMON.trim().split(/\s+/));

/** The weights of a word that tells of a forgery, and of one that is only common in forgeries. */
export const TELLS = 16;
export const IS_COMMON = 1;

/** How much a word beside the name of a site tells of a forgery; 0 for any other text. */
export function weightOf(word: string): number {
  return TELLING_WORDS.has(word) ? TELLS : COMMON_WORDS.has(word) ? IS_COMMON : 0;
}

const DIGITS = /^\d+$/;
const LONGEST = 16;

/**
 * How much a text tells of a forgery if it consists of such words and of digits alone; `null` if it has anything else.
 * Of the ways in which the text can be split, the one that tells most counts.
 */
export function weightOfWords(text: string): number | null {
  const best: (number | null)[] = [0];
  for (let end = 1; end <= text.length; end++) {
    let most: number | null = null;
    for (let start = Math.max(0, end - LONGEST); start < end; start++) {
      const before = best[start] ?? null;
      if (before === null) continue;
      const word = text.slice(start, end);
      // The end of `webdesign` is no word of its own.
      const weight = word === "sign" && start > 0 ? 0 : weightOf(word);
      if (weight === 0 && !DIGITS.test(word)) continue;
      // One letter is usually the end of another word, such as the last one of "pages".
      most = Math.max(most ?? 0, before + (word.length > 1 ? weight : 0));
    }
    best[end] = most;
  }
  return best[text.length] ?? null;
}
