// What can be wrong with a document or with the data for one. `{field}` is the user's name of the place, `{expects}` what
// the layout says of the value there.

export const layoutProblems = {
  'xml-unreadable': {
    pt: 'O arquivo não é um XML que se possa ler: {reason}',
    en: 'The file is not XML that can be read: {reason}',
  },
  'xml-doctype': {
    pt: 'O XML tem uma declaração DOCTYPE, que não é aceita.',
    en: 'The XML has a DOCTYPE declaration, which is not accepted.',
  },
  'xml-too-large': {
    pt: 'O XML passa dos limites de tamanho ou de profundidade: {reason}',
    en: 'The XML exceeds the limits of size or depth: {reason}',
  },
  'root-unknown': {
    pt: 'O elemento raiz "{name}" não é de nenhum documento acadêmico conhecido.',
    en: 'The root element "{name}" is not that of any known academic document.',
  },
  'namespace-unknown': {
    pt: 'O elemento raiz está no namespace "{name}", que não é o do diploma digital.',
    en: 'The root element is in the namespace "{name}", which is not that of the digital degree.',
  },
  'element-missing': { pt: 'Falta o campo {field}.', en: 'The field {field} is missing.' },
  'choice-missing': {
    pt: 'Em {field}, falta um destes: {options}.',
    en: 'In {field}, one of these is missing: {options}.',
  },
  'element-misplaced': {
    pt: 'O campo {field} está fora de ordem, ou se repete onde não pode.',
    en: 'The field {field} is out of order, or repeated where it may not be.',
  },
  'element-unknown': { pt: 'O campo {field} não existe neste lugar.', en: 'There is no field {field} in this place.' },
  'element-repeated': {
    pt: 'O campo {field} só pode ser informado uma vez.',
    en: 'The field {field} may be given only once.',
  },
  'choice-ambiguous': {
    pt: 'Em {field}, só um destes pode ser informado: {options}.',
    en: 'In {field}, only one of these may be given: {options}.',
  },
  'attribute-missing': { pt: 'Falta o atributo {field}.', en: 'The attribute {field} is missing.' },
  'attribute-unknown': {
    pt: 'O atributo {field} não existe neste lugar.',
    en: 'There is no attribute {field} in this place.',
  },
  'text-misplaced': {
    pt: 'Em {field} há texto entre os campos.',
    en: 'There is text between the fields of {field}.',
  },
  'not-empty': { pt: '{field} tem de ficar vazio.', en: '{field} must be empty.' },
  'not-plain': {
    pt: '{field} deve conter só texto, sem outros elementos.',
    en: '{field} must be text alone, without elements.',
  },
  'signature-missing': { pt: 'Falta uma assinatura em {field}.', en: 'A signature is missing in {field}.' },
  'shape-wrong': { pt: '{field} deveria ser {expects}.', en: '{field} has the wrong shape; expected: {expects}.' },
  'value-wrong': {
    pt: '{field}: "{value}" não serve. O que se espera: {expects}.',
    en: '{field}: "{value}" is not accepted. Expected: {expects}.',
  },
  'value-not-listed': {
    pt: '{field}: "{value}" não está na lista. O que se espera: {expects}.',
    en: '{field}: "{value}" is not in the list. Expected: {expects}.',
  },
  'value-blank-at-ends': {
    pt: '{field}: há espaço no início ou no fim de "{value}".',
    en: '{field}: there is a blank at the beginning or the end of "{value}".',
  },
  'value-character': {
    pt: '{field}: o caractere "{character}" ({code}) não é permitido.',
    en: '{field}: the character "{character}" ({code}) is not allowed.',
  },
  'value-too-short': {
    pt: '{field} é curto demais. O que se espera: {expects}.',
    en: '{field} is too short. Expected: {expects}.',
  },
  'value-too-long': {
    pt: '{field} é longo demais. O que se espera: {expects}.',
    en: '{field} is too long. Expected: {expects}.',
  },
  'value-not-a-date': {
    pt: '{field}: "{value}" não é uma data que existe, no formato AAAA-MM-DD.',
    en: '{field}: "{value}" is not an existing date in the form YYYY-MM-DD.',
  },
  'value-not-a-number': {
    pt: '{field}: "{value}" não é um número como se espera: {expects}.',
    en: '{field}: "{value}" is not a number as expected: {expects}.',
  },
  'value-out-of-range': {
    pt: '{field}: {value} está fora dos limites. O que se espera: {expects}.',
    en: '{field}: {value} is out of range. Expected: {expects}.',
  },
  'value-too-precise': {
    pt: '{field}: {value} tem casas decimais demais. O que se espera: {expects}.',
    en: '{field}: {value} has too many decimals. Expected: {expects}.',
  },
  'value-not-base64': {
    pt: '{field}: o conteúdo não está em Base64.',
    en: '{field}: the content is not in Base64.',
  },
  'value-not-a-uri': {
    pt: '{field}: "{value}" não é um endereço bem formado.',
    en: '{field}: "{value}" is not a well-formed address.',
  },
  'id-repeated': {
    pt: 'O identificador "{value}" aparece mais de uma vez no documento.',
    en: 'The identifier "{value}" appears more than once in the document.',
  },
  'type-overridden': {
    pt: 'Em {field} há um atributo xsi:{name}, que não é aceito.',
    en: 'There is an attribute xsi:{name} at {field}, which is not accepted.',
  },
  'too-many-problems': {
    pt: 'Há mais problemas do que os listados aqui.',
    en: 'There are more problems than are listed here.',
  },
} as const satisfies Record<string, { readonly pt: string; readonly en: string }>

export type LayoutProblemCode = keyof typeof layoutProblems

export interface LayoutProblem {
  readonly code: LayoutProblemCode
  /** Of a document: its XML path. Of data: the names of the fields, joined by dots. */
  readonly path: string
  /** The same place in the user's words: "Dados do diploma › Diplomado › CPF". */
  readonly place: string
  /** Of a document only: where the node begins. */
  readonly line?: number
  readonly column?: number
  readonly pt: string
  readonly en: string
}

export type ProblemDetails = Readonly<Record<string, string>>

/** Longer values are cut where they are quoted. */
const QUOTED = 80

export function problemAt(
  code: LayoutProblemCode,
  where: { readonly path: string; readonly place: string; readonly line?: number; readonly column?: number },
  details: ProblemDetails = {},
): LayoutProblem {
  const filled = { field: lastOf(where.place), ...details }
  const { pt, en } = layoutProblems[code]
  return { code, ...where, pt: filledIn(pt, filled), en: filledIn(en, filled) }
}

export const PLACE_SEPARATOR = ' › '

const lastOf = (place: string): string => place.split(PLACE_SEPARATOR).at(-1)!

function filledIn(template: string, details: ProblemDetails): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => quoted(details[name] ?? ''))
}

const quoted = (value: string): string => (value.length > QUOTED * 4 ? `${value.slice(0, QUOTED)}…` : value)
