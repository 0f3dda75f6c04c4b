// What the page says about the built-in list.

export const NAME = "metamask-crypto-phishing";
export const TITLE = "MetaMask’s list of phishing that targets crypto wallets";
export const PUBLISHER = "MetaMask";
export const YEAR = 2023;
export const COVERAGE = "It covers only crypto phishing of that time.";
/** Where the publisher takes reports of mistakes. */
export const CONTACT = "https://github.com/MetaMask/eth-phishing-detect/issues";
/** The newest version, as a file that the page reads. */
export const NEWEST =
  "https://raw.githubusercontent.com/MetaMask/eth-phishing-detect/main/src/config.json";
