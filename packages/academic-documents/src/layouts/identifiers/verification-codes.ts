import { createHash } from 'node:crypto'
import { isUri } from '../judging/lexical.ts'

// The codes by which the public finds a document (credentials-platform facts 1.3). The norm leaves the composition of the
// hexadecimal part to the institution: a hash over what identifies the record, salted with the 44-digit number, so that
// nobody can guess the code of a degree from what is known of a person.

/** What goes into the code of a document. Absent parts count as empty. */
export interface CodeIngredients {
  /** Enrolment. */
  readonly matricula?: string
  readonly cpf?: string
  /** e-MEC code of the course, or the process of one that has none; of a curriculum its own code. */
  readonly curso?: string
  readonly cnpjEmissora?: string
  readonly cnpjRegistradora?: string
  readonly livro?: string
  /** Sheet, or number of the registration. */
  readonly folhaOuRegistro?: string
  readonly sequencia?: string
  /** 44 digits, different for each document. */
  readonly nonce: string
}

/** Whether a code is taken already. */
export type IsTaken = (code: string) => boolean | Promise<boolean>

const SHORTEST = 12
/** Digits added when a code is taken. */
const STEP = 4

const order = [
  'matricula',
  'cpf',
  'curso',
  'cnpjEmissora',
  'cnpjRegistradora',
  'livro',
  'folhaOuRegistro',
  'sequencia',
  'nonce',
] as const satisfies readonly (keyof CodeIngredients)[]

function digestOf(ingredients: CodeIngredients): string {
  // A bar inside a value must not make two records look alike.
  const parts = order.map((name) => (ingredients[name] ?? '').replace(/[\\|]/g, '\\$&'))
  return createHash('sha256').update(parts.join('|'), 'utf8').digest('hex')
}

async function freeCode(prefix: string, ingredients: CodeIngredients, isTaken: IsTaken): Promise<string> {
  const digest = digestOf(ingredients)
  for (let length = SHORTEST; length <= digest.length; length += STEP) {
    const code = `${prefix}.${digest.slice(0, length)}`
    if (!(await isTaken(code))) return code
  }
  throw new Error('Every length of this verification code is taken: its ingredients were used before.')
}

const free: IsTaken = () => false

/** `<e-MEC of the issuer>.<e-MEC of the registrar>.<hex>`, made by the registrar. */
export const degreeCode = (
  emecEmissora: string,
  emecRegistradora: string,
  ingredients: CodeIngredients,
  isTaken: IsTaken = free,
): Promise<string> => freeCode(`${emecEmissora}.${emecRegistradora}`, ingredients, isTaken)

/** `<e-MEC of the institution>.<hex>`, of transcripts and curriculums. */
export const institutionCode = (emec: string, ingredients: CodeIngredients, isTaken: IsTaken = free): Promise<string> =>
  freeCode(emec, ingredients, isTaken)

/** How codes look, by the documents they are of. */
export const codePatterns = {
  degree: /^[0-9]+\.[0-9]+\.[a-f0-9]{12,}$/,
  academicTranscript: /^[0-9]+\.[a-f0-9]{12,}$/,
  curriculum: /^[0-9]+\.[a-f0-9]{12,}$/,
} as const

const LONGEST_URL = 255

/** The address at which a document is verified, or `undefined` where the layouts would not hold it. */
export function uniqueUrl(publicBase: string, code: string): string | undefined {
  const url = `${publicBase.replace(/\/+$/, '')}/${code}`
  return url.startsWith('https://') && url.length <= LONGEST_URL && isUri(url) ? url : undefined
}
