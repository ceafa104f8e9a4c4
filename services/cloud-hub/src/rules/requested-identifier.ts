import { invalidField } from '@chancela/service-kernel/errors'
import { type IdentifierType, identifierTypes } from '../contract/models.ts'
import { type NamedOrNumbered, requestedName } from './requested-name.ts'

export interface Identifier {
  readonly type: IdentifierType
  /** Eleven or fourteen characters, without punctuation. */
  readonly value: string
}

/** The check digits are valid, but CPFs of one repeated digit are never issued: whom to ask for where nobody is meant. */
export const nobody: Identifier = { type: 'CPF', value: '11111111111' }

/** Separators people write between the digits. */
const PUNCTUATION = /[.\-/\s]/g

const forms: Readonly<Record<IdentifierType, { readonly form: RegExp; readonly text: string }>> = {
  CPF: { form: /^\d{11}$/, text: 'A CPF has eleven digits.' },
  // Newer ones have letters, too; the last two characters are always check digits.
  CNPJ: { form: /^[\dA-Z]{12}\d{2}$/, text: 'A CNPJ has fourteen characters: digits, or letters in the newer form.' },
}

/** An identifier without the punctuation people write into it. */
export const bareIdentifier = (written: string): string => written.replace(PUNCTUATION, '').toUpperCase()

/** The identifier of a request. Without a type in the request its length decides, in every operation alike. */
export function requestedIdentifier(written: string, type: NamedOrNumbered | undefined): Identifier {
  const value = bareIdentifier(written)
  const kind = requestedName('identifierType', identifierTypes, type) ?? typeByLength(value.length)
  const { form, text } = forms[kind]
  if (!form.test(value)) throw invalidField('identifier', text)
  return { type: kind, value }
}

const CPF_LENGTH = 11

/** More than eleven characters mean a CNPJ. */
const typeByLength = (length: number): IdentifierType => (length > CPF_LENGTH ? 'CNPJ' : 'CPF')
