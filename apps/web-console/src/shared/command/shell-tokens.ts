/** What a piece of a shell line is, for its colour. */
type TokenKind = 'program' | 'option' | 'text' | 'address' | 'operator' | 'plain'

export interface Token {
  kind: TokenKind
  text: string
}

// Quoted runs stay whole, so that a header or a JSON body with spaces is one piece.
const PIECES = /'[^']*'|"(?:\\.|[^"\\])*"|\s+|[|&;<>]+|[^\s'"|&;<>]+|./g

const OPERATOR = /^[|&;<>]+$/

/** The first rule that fits names the piece. */
const rules: [kind: TokenKind, fits: (piece: string) => boolean][] = [
  ['operator', (piece) => OPERATOR.test(piece) || piece === '\\'],
  ['address', (piece) => /^['"]?https?:\/\//.test(piece)],
  ['text', (piece) => /^['"]/.test(piece)],
  ['option', (piece) => /^--?[A-Za-z]/.test(piece)],
]

/** Cuts a command into coloured pieces that, joined, are the command again. */
export function shellTokens(command: string): Token[] {
  let programExpected = true
  return (command.match(PIECES) ?? []).map((text) => {
    if (/^\s+$/.test(text)) return { kind: 'plain', text }
    const kind = rules.find(([, fits]) => fits(text))?.[0] ?? (programExpected ? 'program' : 'plain')
    // After `|`, `;` and `&&` a new program follows; after `>` a file, and `\` only continues the line.
    programExpected = kind === 'operator' && /[|;&]/.test(text)
    return { kind, text }
  })
}
