/**
 * Executes ABNF (RFC 5234) as it is written, with no table and no lookahead: it only keeps the set of indices at which
 * a rule may end. The implementation is slow and plain on purpose.
 */

type Node =
  | { kind: "rule"; name: string }
  | { kind: "string"; text: string }
  | { kind: "range"; from: number; to: number }
  | { kind: "alternation"; nodes: Node[] }
  | { kind: "concatenation"; nodes: Node[] }
  | { kind: "repetition"; node: Node; min: number; max: number };

/** Rules by their names. */
export type Grammar = Map<string, Node>;

const TOKEN =
  /\s*(?:(\d*)\*(\d*)|(\d+)(?=[A-Za-z("])|%x([0-9A-F]+)(?:-([0-9A-F]+))?|"([^"]*)"|([A-Za-z][\w-]*)|([()[\]/]))/y;

/** Parses the rules of a grammar, one per line: `name = elements`. */
export function parseGrammar(source: string): Grammar {
  const rules = new Map<string, Node>();
  for (const line of source.split("\n")) {
    const [, name, elements] = /^\s*([\w-]+)\s*=(.*)$/.exec(line) ?? [];
    if (name !== undefined && elements !== undefined) rules.set(name, parseElements(elements));
  }
  return rules;
}

function parseElements(source: string): Node {
  TOKEN.lastIndex = 0;
  const tokens: RegExpExecArray[] = [];
  while (TOKEN.lastIndex < source.trimEnd().length) {
    const token = TOKEN.exec(source);
    if (token === null) throw new Error(`not ABNF: ${source}`);
    tokens.push(token);
  }
  let at = 0;
  const isNext = (text: string) => tokens[at]?.[8] === text;

  function alternation(): Node {
    const nodes = [concatenation()];
    while (isNext("/")) {
      at++;
      nodes.push(concatenation());
    }
    return { kind: "alternation", nodes };
  }
  function concatenation(): Node {
    const nodes: Node[] = [];
    while (at < tokens.length && !isNext("/") && !isNext(")") && !isNext("]")) nodes.push(item());
    return { kind: "concatenation", nodes };
  }
  function item(): Node {
    const token = tokens[at++]!;
    if (token[3] !== undefined) {
      const times = Number(token[3]);
      return { kind: "repetition", node: item(), min: times, max: times };
    }
    if (token[1] !== undefined || token[2] !== undefined) {
      const max = token[2] === "" ? Number.POSITIVE_INFINITY : Number(token[2]);
      return { kind: "repetition", node: item(), min: Number(token[1]), max };
    }
    if (token[4] !== undefined) {
      const from = Number.parseInt(token[4], 16);
      return { kind: "range", from, to: Number.parseInt(token[5] ?? token[4], 16) };
    }
    if (token[6] !== undefined) return { kind: "string", text: token[6] };
    if (token[7] !== undefined) return { kind: "rule", name: token[7] };
    const inner = alternation();
    at++;
    return token[8] === "[" ? { kind: "repetition", node: inner, min: 0, max: 1 } : inner;
  }
  return alternation();
}

/** Every index where a rule that starts at `start` may end. */
export function ends(rules: Grammar, rule: string, text: string, start = 0): Set<number> {
  function match(node: Node, at: number): Set<number> {
    switch (node.kind) {
      case "rule": {
        const found = rules.get(node.name);
        if (found === undefined) throw new Error(`no rule ${node.name}`);
        return match(found, at);
      }
      case "string": {
        // RFC 5234 §2.3: strings are case-insensitive, and ASCII.
        const end = at + node.text.length;
        const found = text.slice(at, end);
        const isSame =
          found === node.text ||
          (/^[a-z]+:?$/i.test(found) && found.toLowerCase() === node.text.toLowerCase());
        return new Set(isSame ? [end] : []);
      }
      case "range": {
        const unit = text.charCodeAt(at);
        return new Set(unit >= node.from && unit <= node.to ? [at + 1] : []);
      }
      case "alternation":
        return new Set(node.nodes.flatMap((one) => [...match(one, at)]));
      case "concatenation":
        return concatenate(node.nodes, new Set([at]));
      case "repetition": {
        const found = new Set<number>(node.min === 0 ? [at] : []);
        let indices = new Set([at]);
        for (let times = 1; times <= node.max && indices.size > 0; times++) {
          indices = new Set([...indices].flatMap((index) => [...match(node.node, index)]));
          if (times >= node.min) for (const index of indices) found.add(index);
        }
        return found;
      }
    }
  }
  function concatenate(nodes: Node[], indices: Set<number>): Set<number> {
    const [first, ...rest] = nodes;
    if (first === undefined) return indices;
    return concatenate(rest, new Set([...indices].flatMap((index) => [...match(first, index)])));
  }
  return match({ kind: "rule", name: rule }, start);
}

/** Whether a rule matches a whole text. */
export function matches(rules: Grammar, rule: string, text: string): boolean {
  return ends(rules, rule, text).has(text.length);
}
