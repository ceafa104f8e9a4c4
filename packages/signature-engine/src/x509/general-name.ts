import type { DerValue } from '../der/der-value.ts'
import { DistinguishedName } from './distinguished-name.ts'

/** The forms of a GeneralName by their tag (RFC 5280 §4.2.1.6). */
const forms = [
  'otherName',
  'rfc822Name',
  'dNSName',
  'x400Address',
  'directoryName',
  'ediPartyName',
  'uniformResourceIdentifier',
  'iPAddress',
  'registeredID',
] as const

type GeneralNameForm = (typeof forms)[number]

/** A GeneralName; what is in it is read on demand, because most are never looked at. */
export interface GeneralName {
  /** Undefined: a form of a later standard. */
  readonly form: GeneralNameForm | undefined
  readonly tagged: DerValue
}

export const generalName = (tagged: DerValue): GeneralName => ({
  form: (tagged.tag & 0xc0) === 0x80 ? forms[tagged.tag & 0x1f] : undefined,
  tagged,
})

/** The members of GeneralNames, whatever its tag. */
export const generalNames = (value: DerValue): GeneralName[] => value.inside().rest().map(generalName)

/** Of rfc822Name, dNSName and URI, which are IA5Strings. */
export const textOf = ({ tagged }: GeneralName): string => tagged.content.toString('latin1')

export const directoryNameOf = ({ tagged }: GeneralName): DistinguishedName =>
  new DistinguishedName(tagged.unwrap().raw)
