import { RepresentationProblem } from '../errors.ts'

/** A text of a template, read: letters in their style, tags, and parts that depend on a tag. */
export type RichNode =
  | { readonly kind: 'text'; readonly text: string; readonly bold: boolean; readonly italic: boolean }
  | { readonly kind: 'tag'; readonly name: string; readonly bold: boolean; readonly italic: boolean }
  | { readonly kind: 'section'; readonly name: string; readonly present: boolean; readonly nodes: readonly RichNode[] }

export interface StyledText {
  readonly text: string
  readonly bold: boolean
  readonly italic: boolean
}

/**
 * Reads `{{tag}}`, `{{?tag}}…{{/}}` (only with it), `{{!tag}}…{{/}}` (only without it), `**bold**`, `*italic*`; a backslash
 * takes the meaning of the character after it away. What a tag shows is never read again: a name with asterisks stays one.
 */
export function readRichText(source: string): readonly RichNode[] {
  const known = read.get(source) ?? readNew(source)
  if (read.size >= MOST_READ) read.clear()
  read.set(source, known)
  return known
}

/** Texts of templates, which are the same in every document. */
const read = new Map<string, readonly RichNode[]>()
const MOST_READ = 1000

function readNew(source: string): readonly RichNode[] {
  const reader = { tokens: source.match(TOKENS) ?? [], at: 0, bold: false, italic: false }
  const nodes = readNodes(reader, source)
  if (reader.at < reader.tokens.length) throw broken(source, '{{/}} closes nothing')
  if (reader.bold || reader.italic) throw broken(source, 'an asterisk is not closed')
  return nodes
}

const TOKENS = /\{\{[^{}]*\}\}|\*\*|\*|\\.|[^*\\{]+|\{|\\/gsu

interface Reader {
  readonly tokens: readonly string[]
  at: number
  bold: boolean
  italic: boolean
}

function readNodes(reader: Reader, source: string): RichNode[] {
  const nodes: RichNode[] = []
  while (reader.at < reader.tokens.length && reader.tokens[reader.at] !== '{{/}}') {
    const token = reader.tokens[reader.at++]!
    if (token === '**') reader.bold = !reader.bold
    else if (token === '*') reader.italic = !reader.italic
    else nodes.push(readNode(token, reader, source))
  }
  return nodes
}

function readNode(token: string, reader: Reader, source: string): RichNode {
  const { bold, italic } = reader
  const [, mark, name] = /^\{\{\s*([?!]?)\s*(.*?)\s*\}\}$/s.exec(token) ?? []
  if (name === undefined) return { kind: 'text', text: token.replace(/^\\(.)/s, '$1'), bold, italic }
  if (!mark) return { kind: 'tag', name, bold, italic }
  const nodes = readNodes(reader, source)
  if (reader.tokens[reader.at++] !== '{{/}}') throw broken(source, `{{${mark}${name}}} is not closed`)
  return { kind: 'section', name, present: mark === '?', nodes }
}

const broken = (source: string, reason: string) =>
  new RepresentationProblem('template.broken-text', { reason: `${reason} in "${source.slice(0, 60)}"` })

/** Every tag that a text names. */
export const tagsIn = (nodes: readonly RichNode[]): string[] =>
  nodes.flatMap((node) => {
    if (node.kind === 'text') return []
    return node.kind === 'tag' ? [node.name] : [node.name, ...tagsIn(node.nodes)]
  })

/** The text for one document. */
export const filledIn = (nodes: readonly RichNode[], look: (tag: string) => string | undefined): StyledText[] =>
  nodes.flatMap((node) => {
    if (node.kind === 'text') return [node]
    const value = look(node.name)
    if (node.kind === 'tag') return value === undefined ? [] : [{ text: value, bold: node.bold, italic: node.italic }]
    return (value !== undefined) === node.present ? filledIn(node.nodes, look) : []
  })
