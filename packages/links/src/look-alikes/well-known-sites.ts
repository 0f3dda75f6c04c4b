/**
 * Well-known sites whose names forgeries imitate, one a line: the domain that people should be led to, and other domains
 * of the same owner. The name is the first label of the first domain. A tilde marks a name that is also a common word, a
 * common name, or that of software which others run on hosts of this name, such as GitLab: such a name counts only
 * together with its domain, or with a word that forgeries use. An exclamation mark shows an unmistakable name, which was
 * made up, such as that of an exchange: no other site is likely to have a name that contains it. Banks and posts have many
 * sites of their own with such names, so theirs have no mark.
 *
 * An equals sign marks another domain at which people use sites of the same owner, so a link to it may show any of these
 * domains. An ending, such as `.de`, is such a domain with the same name. Domains at which others publish, or whose links
 * lead to sites of others, never have this mark.
 *
 * A line `#~` begins sites about which fans, customers or developers have many pages, or whose names are also those of
 * places and families. Below free services, these names do not count alone.
 *
 * Source: chosen by hand, from the names in public reports of phishing (the lists of Phishing.Database, and the brands
 * that such reports rank), with the domains that their owners use themselves, some of them from Privacy Badger's list of
 * first parties, third-party-web and TrackerDB.
 */
export const WELL_KNOWN_SITES: string = `
# payments and money
!paypal.com .me paypalobjects.com paypal-community.com paypal-corp.com paypal-business.com paypalcorp.com paypal-forward.com paypal-gifts.com paypal-metrics.com paypal-search.com paypal.gift paypalgivingfund.org
!venmo.com
~stripe.com stripe.network
~square.com =squareup.com
~zelle.com =zellepay.com
~wise.com
!transferwise.com
skrill.com
neteller.com
!payoneer.com
klarna.com klarnaservices.com klarnacdn.net
afterpay.com
~affirm.com
!westernunion.com
!moneygram.com
worldremit.com
remitly.com
!paysafecard.com =paysafe.com
!mercadopago.com .com.ar .com.br .com.mx
!pagseguro.com .com.br =pagbank.com.br
picpay.com
paytm.com paytmbank.com
phonepe.com
razorpay.com
alipay.com
wechat.com
~weechat.org
adyen.com
braintreepayments.com
!americanexpress.com americanexpress-business.com americanexpressfhr.com
~visa.com
mastercard.com
~discover.com
dinersclub.com
quickbooks.com
~intuit.com
!turbotax.com
!creditkarma.com
experian.com
equifax.com
transunion.com
# banks
bankofamerica.com
~chase.com
jpmorgan.com
wellsfargo.com
citibank.com =citibankonline.com
capitalone.com
usbank.com
pnc.com
truist.com
~regions.com
~huntington.com
keybank.com
fifththird.com =53.com
~citizens.com
citizensbank.com
tdbank.com
navyfederal.org
usaa.com
~fidelity.com
~vanguard.com
etrade.com
goldmansachs.com
morganstanley.com
~ally.com
synchrony.com =synchronybank.com
barclays.com .co.uk barclaycard.co.uk barclaycardus.com barclaysus.com
barclaycard.co.uk
hsbc.com .co.uk
lloydsbank.com .co.uk lloydsbankinggroup.com
~halifax.co.uk =halifax-online.co.uk
natwest.com
~nationwide.co.uk .com
monzo.com
starlingbank.com
metrobankonline.co.uk
virginmoney.com
tsb.co.uk
rbc.com
royalbank.com =rbcroyalbank.com
rbcroyalbank.com
scotiabank.com
cibc.com
bmo.com
~interac.ca
~tangerine.ca
commbank.com.au
westpac.com.au
nab.com.au
anz.com
bendigobank.com.au
suncorp.com.au
deutsche-bank.de db.com
commerzbank.com .de
~sparkasse.de sparkasse-online.de
~volksbank.de
postbank.de
~comdirect.de
ing.com .de
n26.com
bnpparibas.com .fr
societegenerale.com .fr
credit-agricole.fr .com =creditagricole.com
creditmutuel.fr
boursorama.com =boursobank.com
caisse-epargne.fr
banquepopulaire.fr
labanquepostale.fr
unicredit.it .eu unicreditgroup.eu
intesasanpaolo.com
posteitaliane.it
fineco.it =finecobank.com
postepay.it
bbva.com .es
caixabank.com .es
bankinter.com
~sabadell.com =bancsabadell.com
bankia.es
abnamro.nl .com
rabobank.nl .com
kbc.be
belfius.be
bnpparibasfortis.be
swedbank.se .com
nordea.com
handelsbanken.se
danskebank.dk .com .co.uk
nordnet.se
~raiffeisen.ch raiffeisen.at raiffeisen.ru raiffeisen.ro
postfinance.ch
credit-suisse.com
ubs.com
erstebank.at
mbank.pl
pekao.com.pl
pkobp.pl
sberbank.ru .com sber-bank.by
tinkoff.ru
alfabank.ru
garantibbva.com.tr =garanti.com.tr
akbank.com
isbank.com.tr
yapikredi.com.tr
ziraatbank.com.tr
halkbank.com.tr
denizbank.com
finansbank.com.tr =qnbfinansbank.com
enpara.com
absa.co.za .africa
standardbank.co.za .com
nedbank.co.za
capitecbank.co.za
icicibank.com
hdfcbank.com
axisbank.com
onlinesbi.sbi .com
sbi.co.in
dbs.com .com.sg
ocbc.com
maybank2u.com.my =maybank.com
maybank.com maybank2e.com maybank2e.net maybank-ib.com maybank-ke.com
cimbclicks.com.my cimb.com
bdo.com.ph
bradesco.com.br bradescard.com.br
itau.com.br
bancobrasil.com.br
bancodobrasil.com.br bb.com.br
nubank.com.br
bancolombia.com .com.co
davivienda.com
bancochile.cl
bancoestado.cl
bancomer.com bbva.mx
citibanamex.com =banamex.com
banorte.com
smbc.co.jp
mizuhobank.co.jp
rakuten.co.jp .com rakuten-card.co.jp rakuten-bank.co.jp rakuten-bank.com.tw rakuten-dx.com rakuten-dx.eu rakuten-wallet.co.jp
icbc.com.cn
mufg.jp
# exchanges and wallets
!coinbase.com
!binance.com .us
~kraken.com
!bitfinex.com
bitstamp.net
!bittrex.com
!poloniex.com
!kucoin.com
bybit.com
huobi.com
okx.com
~gemini.com
!bitflyer.com
~blockchain.com .info
!metamask.io
!myetherwallet.com
!etherscan.io
!trustwallet.com
~ledger.com =ledgerwallet.com
trezor.io
~phantom.app
!uniswap.org
!pancakeswap.finance
!localbitcoins.com
paxful.com
~exodus.com
~electrum.org
cryptopia.co.nz
# mail, documents and small ads
hotmail.com
gmx.net .de .com .at .ch
t-online.de
!protonmail.com .ch
!docusign.com docusign.net
wetransfer.com
ionos.com .de
ovhcloud.com ovh.com ovh.net
allegrolokalnie.pl
#~ mail, search and accounts
google.com .de .co.uk .fr .es .it .nl .ca .com.au .co.in .co.jp .com.br .pl .at .ch .be =googlemail.com =gmail.com =maps.app.goo.gl =photos.app.goo.gl googleapps.com google-analytics.com googleapis.com googleusercontent.com googlevideo.com googletagmanager.com googlesyndication.com googleadservices.com gstatic.com googleblog.com googlesource.com googlecode.com googlepages.com googlegroups.com googlelabs.com googleonlinesecurity.blogspot.com google.cf google.ga google.ml google.tk google.ws
gmail.com
googlemail.com
youtube.com =youtu.be youtube-nocookie.com youtubekids.com
microsoft.com =microsoftonline.com =office.com =office365.com =outlook.com =live.com =hotmail.com =skype.com =xbox.com =msn.com s-microsoft.com microsoftstore.com microsoftedge.com microsofttranslator.com
!microsoftonline.com microsoftonline-p.com microsoftonline-p.net
~office.com
!office365.com
~outlook.com
~live.com
skype.com
onedrive.com
sharepoint.com sharepoint-df.com
linkedin.com
xbox.com xboxlive.com
~apple.com =icloud.com =itunes.com =appleid.com applepay.com apple.news
icloud.com icloud-content.com
itunes.com
!appleid.com
~iphone.com
yahoo.com yahoogroups.com yahoo.net rocketmail.com
aol.com
~telekom.com .de
~fastmail.com
zoho.com zohopublic.com zohoaccounts.com zohosecurepay.com zohoaccounts.eu zohoinvoice.com zohosecurepay.eu
mailchimp.com
yandex.ru .com yandex.net yandex-team.ru
vkontakte.ru =vk.com
mailru.ru =mail.ru
~rambler.ru
naver.com
daum.net
163.com
qq.com
baidu.com
duckduckgo.com
#~ social networks and talk
facebook.com =fb.com =fb.me =messenger.com facebook.net facebookmail.com facebookbrand.com facebookcareers.com
instagram.com instagram-brand.com
whatsapp.com =wa.me whatsapp.net whatsappbrand.com
~messenger.com =m.me
~threads.net .com
twitter.com =x.com ads-twitter.com
tiktok.com tiktokcdn.com tiktokcdn-us.com tiktokv.com tiktokv.eu tiktokv.us tiktokw.us tiktokw.eu
snapchat.com
pinterest.com pinterest.info pintrest.com
reddit.com =redd.it reddithelp.com redditinc.com redditmedia.com redditgifts.com
tumblr.com
~telegram.org .me =t.me
~signal.org
discord.com .gg =discordapp.com discord.gift discordstatus.com
discordapp.com
twitch.tv ext-twitch.tv
~slack.com slack-edge.com
~zoom.us .com
~wordpress.com wordpress.org
~blogger.com
~tinder.com
~bumble.com
quora.com
viber.com
~line.me
kakao.com
weibo.com
~wikipedia.org
#~ clouds, work and signing
dropbox.com dropboxusercontent.com dropboxapi.com dropboxbusiness.com
adobe.com adobelogin.com
~acrobat.com
~box.com
evernote.com
notion.so
atlassian.com atlassian.net
~bitbucket.org
github.com githubusercontent.com githubassets.com githubstatus.com
~gitlab.com
npmjs.com
~docker.com
salesforce.com my-salesforce.com my-salesforce-community-live-preview.com salesforce-sites.com my-salesforce-sites.com
hubspot.com hubspotdocuments.com
okta.com
onelogin.com
lastpass.com
1password.com
bitwarden.com
dashlane.com
godaddy.com
namecheap.com
cloudflare.com cloudflareinsights.com cloudflarestatus.com
digitalocean.com digitaloceanspaces.com
amazonaws.com
heroku.com herokuapp.com
hostinger.com
bluehost.com
hostgator.com
squarespace.com
shopify.com myshopify.com
zendesk.com
servicenow.com service-now.com
~workday.com myworkday.com
~oracle.com oraclecloud.com
vmware.com
~norton.com nortonlifelock.com
mcafee.com mcafeesecure.com
kaspersky.com
teamviewer.com teamviewer.us
anydesk.com
logmein.com
webex.com
gotomeeting.com
trello.com
~asana.com
canva.com
grammarly.com
openai.com
chatgpt.com
#~ shops
amazon.com .co.uk .de .co.jp .fr .it .es .nl .ca .com.au .in .com.br .com.mx .pl .se .com.be amazonwebservices.com ssl-images-amazon.com images-amazon.com media-amazon.com amazon-adsystem.com amazonpay.com amazontrust.com amazon-corp.com amazonvideo.com amazonses.com amazonlogistics.com amazonpayments.com payments-amazon.com amazonservices.com amazon.work
ebay.com .co.uk .de .fr .it .es .ca .com.au ebayinc.com
walmart.com =wal-mart.com
~target.com
bestbuy.com =best-buy.com
costco.com
homedepot.com
~lowes.com
alibaba.com alibaba-inc.com alibabacloud.com alibabagroup.com
aliexpress.com
taobao.com
temu.com
shein.com
~wish.com
etsy.com
wayfair.com
zalando.com .de
asos.com
ikea.com
lidl.com .de
aldi.com aldi-sued.de aldi-nord.de
tesco.com
sainsburys.co.uk
~argos.co.uk
carrefour.com .fr
leboncoin.fr
fnac.com
cdiscount.com
mediamarkt.com .de
~otto.de
kleinanzeigen.de
vinted.com .fr .de
wallapop.com
~depop.com
~allegro.pl
marktplaats.nl
bol.com
coolblue.nl
mercadolibre.com .com.ar .com.mx
mercadolivre.com.br
magazineluiza.com.br =magalu.com.br
~americanas.com.br
olx.com
flipkart.com
shopee.com .sg
lazada.com
tokopedia.com
mercari.com
avito.ru
ozon.ru
wildberries.ru
craigslist.org
~nike.com
adidas.com
~zara.com
sephora.com
samsclub.com
walgreens.com
# parcels and post
dhl.com .de dhl-usa.com
ups.com
usps.com
fedex.com
royalmail.com .co.uk royalmailgroup.com
hermesworld.com
evri.com
dpd.com .co.uk .de
dpdgroup.com
gls-group.eu .com
tnt.com
parcelforce.com
anpost.ie .com
swisspost.ch
deutschepost.de
laposte.fr laposte.net notif-moncompte-laposte.info
colissimo.fr
chronopost.fr
mondialrelay.fr .com
bpost.be .com
postnl.nl .com
postnord.com .se .dk
~correos.es
ctt.pt
inpost.pl .com
poczta-polska.pl
auspost.com.au
nzpost.co.nz
canadapost.ca canadapost-postescanada.ca
purolator.com
~correios.com.br
singpost.com
japanpost.jp
sagawa-exp.co.jp
kuronekoyamato.co.jp
sf-express.com
aramex.com
smsaexpress.com
cainiao.com
#~ films, music and games
netflix.com netflix.shop
spotify.com
disneyplus.com disney-plus.net
hulu.com
hbomax.com
primevideo.com
paramountplus.com
crunchyroll.com
deezer.com
soundcloud.com
steampowered.com
!steamcommunity.com
epicgames.com
roblox.com
~minecraft.net
playstation.com playstation.net
nintendo.com
~blizzard.com
~battle.net
riotgames.com
leagueoflegends.com
ubisoft.com
~origin.com
# phones and networks
verizon.com verizonwireless.com verizonbusiness.com
t-mobile.com .nl =tmobile.com
att.com
~sprint.com
xfinity.com
comcast.com comcast.net
~spectrum.com spectrum.net
vodafone.com .de .co.uk
~orange.fr .com
bouyguestelecom.fr
telefonica.com
movistar.com .es
telstra.com .com.au
optus.com.au
~rogers.com
virginmedia.com
btinternet.com
talktalk.co.uk
swisscom.ch .com
softbank.jp
docomo.ne.jp
#~ travel and cars
~booking.com
airbnb.com
expedia.com expedia-cn.com
tripadvisor.com tripadvisorsupport.com
~hotels.com hoteis.com
agoda.com
trivago.com
skyscanner.com .net
ryanair.com
easyjet.com
lufthansa.com
airfrance.com .fr
~emirates.com
~uber.com
lyft.com
blablacar.com .fr
ticketmaster.com
stubhub.com
ezpassny.com
sunpass.com
# governments and insurers
irs.gov
ssa.gov
hmrc.gov.uk
dvla.gov.uk
impots.gouv.fr
agenziaentrate.it .gov.it
!gosuslugi.ru
mygov.au my.gov.au
servicecanada.gc.ca
bundesfinanzministerium.de
axa.com
aetna.com
cigna.com
#~ names that are also those of things, places or families
revolut.com .me
santander.com .co.uk santanderbank.com santanderconsumer.com santanderconsumer.it openbank.com
macquarie.com
desjardins.com
robinhood.com
medicare.gov
estafeta.com
schwab.com
elster.de
samsung.com samsungcloud.com
huawei.com
xiaomi.com
lenovo.com
opensea.io
poste.it
kotak.com
ameli.fr
yodel.co.uk
antai.gouv.fr
mediolanum.it bancamediolanum.it
indiapost.gov.in
allianz.com .de
unitedhealthcare.com
`;
