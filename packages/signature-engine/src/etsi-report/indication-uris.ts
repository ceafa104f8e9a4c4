import type { MainIndication, PartIndication, SubIndication } from '../report/indications.ts'
import { leaf, type Xml } from './xml-element.ts'

/** TS 119 102-2 §4.3.4.2: the main indications have URIs in small letters. */
export const mainIndicationUri = (indication: MainIndication | PartIndication): string =>
  `urn:etsi:019102:mainindication:${indication.toLowerCase()}`

/** §4.3.4.3: sub-indications keep the letters of EN 319 102-1. */
const subIndicationUri = (indication: SubIndication): string => `urn:etsi:019102:subindication:${indication}`

export interface Status {
  readonly mainIndication: MainIndication | PartIndication
  readonly subIndication: SubIndication | null
}

/** The first elements of a ValidationStatusType. */
export const statusElements = ({ mainIndication, subIndication }: Status): (Xml | undefined)[] => [
  leaf('MainIndication', mainIndicationUri(mainIndication)),
  subIndication ? leaf('SubIndication', subIndicationUri(subIndication)) : undefined,
]
