import { isCpf } from '@chancela/signature-engine/x509'
import { withoutAddresses } from './mail-addresses.ts'

/** Eleven digits, as they are or as people write them, that are no part of an id or of a longer number. */
const CPF = /(?<![\w.-])(?:\d{11}|\d{3}\.\d{3}\.\d{3}-\d{2})(?![\w-]|\.\d)/g

const hidden = (text: string): string => (isCpf(text.replaceAll(/\D/g, '')) ? '***' : text)

/** A text without what names people outside: mail addresses are shortened, CPFs are hidden. */
export const withoutPeople = (text: string): string => withoutAddresses(text).replaceAll(CPF, hidden)
