/** Sources of regular expressions for links and the characters around them. */

const OPEN = String.raw`[[({<\uff3b\uff08\uff5b\uff1c\u3010]`;
const CLOSE = String.raw`[\])}>\uff3d\uff09\uff5d\uff1e\u3011]`;
const BLANK = String.raw`[ \xa0\u3000]`;

/** The characters besides `.` that browsers read as a dot of a host (UTS #46 §4). Some also end a sentence. */
export const DOTS: string = String.raw`\u3002\uff0e\uff61`;

/** Chinese, Japanese and Korean characters, which may follow a link without a blank. */
export const EAST_ASIAN: string = String.raw`\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f`;

/** Characters that are not shown: zero-width characters, the soft hyphen, bidi controls, variation selectors, tags. */
export const INVISIBLE: string = String.raw`\xad\u034f\u061c\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff`;

/** Characters that end a link: blanks, controls, quotation marks, angle brackets, and punctuation outside of ASCII. */
const NEVER_IN_LINK = String.raw`\s\0-\x1f\x7f-\x9f<>"\x60\xab\xbb\u2018-\u201f\u2039\u203a\u2026\u3001\u3008-\u3011\u3014-\u301b\uff01\uff02\uff08\uff09\uff0c\uff1b\uff1c\uff1e\uff1f\uff3b\uff3d\uff5b\uff5c\uff5d\uff5f\uff60\uff62-\uff64`;

/** A dot with blanks on both sides, in a host that has no other dots. */
export const SPACED_DOT: string = String.raw` \.(?<=[a-z\d] .)(?<!\.[a-z\d-]{1,63} .) (?=[a-z\d])`;

/** A dot of a defanged host. */
const DEFANGED_DOT = String.raw`${BLANK}{0,3}${OPEN}${BLANK}?(?:[.${DOTS}]|dot|punkt|punto|point)${BLANK}?${CLOSE}${BLANK}{0,3}|\\\.| dot(?<=[a-z\d] dot) (?=[a-z\d])|${SPACED_DOT}`;

/** Half a defanged dot, as in `evil[.example`. */
const HALF_DOT = String.raw`[[({]\.(?=[^\s\])}])|\.[\])}](?=[a-z\d])`;

/** The schemes of the web and their defanged forms. */
const WEB_NAME = String.raw`(?:h[tx*_#~?!$%@+z7-]{1,3}p(?:s|[[({]s[\])}])?|h[tx]{0,2}[[({][tx]{0,2}p?s?[\])}][tx]{0,2}p?(?:s|[[({]s[\])}])?|[[({]h[tx]{0,2}[\])}][tx]{0,2}ps?|htt[*_~]s?|https?[*_~]|xxps?|meows?|f[tx*]{1,2}ps?|wss?)`;
const WEB_SCHEME = String.raw`(?:[[({]${WEB_NAME}[\])}]|${WEB_NAME})`;

/** Escaped forms of the colon and the slash in quoted-printable, HTML and string literals. */
const ESCAPED_COLON = String.raw`=3a|&(?:#0*58|#x0*3a|colon);|\\(?:x3a|u003a)`;
const ESCAPED_SLASH = String.raw`=2f|&(?:#0*47|#x0*2f|sol);|\\(?:x2f|u002f)`;

const SLASHES = String.raw`(?:${ESCAPED_SLASH}|[/\uff0f\\]|${OPEN}[/\\]{1,2}${CLOSE}){1,64}`;
const COLON = String.raw`(?:\\?[:\uff1a]|${ESCAPED_COLON}|${OPEN}${BLANK}?:${BLANK}?${CLOSE})`;

/** The colon and slashes after a scheme, also in defanged forms. */
const WEB_SEPARATOR = String.raw`(?:${OPEN}${BLANK}?:[/\\]{1,2}${BLANK}?${CLOSE}[/\\]{0,2}|${BLANK}?${COLON}[${INVISIBLE}]{0,3}${BLANK}?${SLASHES}|:?_{2,3}(?=[\w-]+\W)|(?:[.;_-]|::)?//)(?:${BLANK}(?=[\w-]+ ?[.[({]))?`;

/** The start of a URL that has a scheme of the web. */
export const WEB_START: string = WEB_SCHEME + WEB_SEPARATOR;

/** Schemes that precede a whole URL. */
const OUTER_SCHEME = "(?:view-source|blob|filesystem|feed):";

/** Each place where a URL with a scheme may start. */
export const URL_START: string = String.raw`(?:${OUTER_SCHEME}){0,3}(?:${WEB_START}|(?:(?<![a-z\d+.-])(?!www\.)[a-z][a-z\d+.-]{1,30}(?<!${WEB_SCHEME})):[/\\]{2}|(?<![a-z\d+.-])https?:(?=[a-z\d-]+\.[a-z])|(?<![a-z\d+.-])(?:[st]ftp|news)://|h(?:tt|xx)ps?%(?:25)*3a(?:%(?:25)*2f|/){2})`;

/** The maximum length of a run of characters that may be one link. Longer runs are searched in pieces. */
export const LONGEST_RUN = 65_536;

/** A letter or digit after another one, at which none of the other parts of a run begins. It makes most texts faster. */
const IN_WORD = String.raw`(?<=[a-z\d])[a-z\d]`;

/** A run of text that may contain links. Soft line breaks of quoted-printable do not end a run. */
export const RUN: string = String.raw`(?:${IN_WORD}|(?:(?<![a-z\d])${WEB_START})|${DEFANGED_DOT}|=[ \t]{0,8}\r?\n(?=\S)|[^${NEVER_IN_LINK}]){1,${LONGEST_RUN}}`;

const DOT = `[.${DOTS}]`;
/** A dot of a host, in any form. */
export const ANY_DOT: string = `(?:${DEFANGED_DOT}|${HALF_DOT}|${DOT})`;
/** Letters in circles and squares count: IDNA maps them to letters. */
const LABEL = String.raw`[\p{L}\p{N}\p{M}\u24b6-\u24e9\u{1f130}-\u{1f149}_${INVISIBLE}-]{1,100}`;

/** A host without a scheme, perhaps defanged. The groups are `host` and `port`. */
export const BARE_HOST: string = String.raw`(?<![\p{L}\p{N}\p{M}_-])(?<host>${LABEL}(?:(?:${ANY_DOT}|(?<=[a-z\d])DOT(?=[a-z\d]))${LABEL}){1,40}${DOT}?[\])}]?)(?<port>(?::|${OPEN}:${CLOSE})\d{1,5}(?!\d))?`;

/** The number of code units before a host that are examined. */
export const LONGEST_LOOK_BACK = 128;
