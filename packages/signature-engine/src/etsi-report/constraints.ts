import type { Check } from '../report/check.ts'
import { findingSubIndications } from '../report/finding-indications.ts'
import { type PartIndication, subIndications } from '../report/indications.ts'
import type { Finding, SignatureReport } from '../report/report.ts'
import { type Status, statusElements } from './indication-uris.ts'
import { leaf, parent, type Xml } from './xml-element.ts'

// TS 119 102-2 §4.3.5 leaves identifiers of constraints to the validator; these are the engine's own codes.
const CHECK = 'urn:chancela:check:'
const FINDING = 'urn:chancela:finding:'

/** The checks of a signature, and each error that was found. */
export const constraints = ({ integrity, findings }: SignatureReport): Xml =>
  parent(
    'ValidationConstraintsEvaluationReport',
    Object.entries(integrity).map(([name, check]) => constraint(`${CHECK}${name}`, ofCheck[(check as Check).state])),
    findings.flatMap((finding) => findingConstraint(finding) ?? []),
  )

const ofCheck: Readonly<Record<Check['state'], Status>> = {
  passed: { mainIndication: 'PASSED', subIndication: null },
  failed: { mainIndication: 'FAILED', subIndication: null },
  'not-checked': { mainIndication: 'INDETERMINATE', subIndication: null },
}

function findingConstraint({ code, severity }: Finding): Xml | undefined {
  const subIndication = findingSubIndications[code]
  if (severity !== 'error' || !subIndication) return undefined
  const mainIndication: PartIndication = subIndications[subIndication] === 'invalid' ? 'FAILED' : 'INDETERMINATE'
  return constraint(`${FINDING}${code}`, { mainIndication, subIndication })
}

const constraint = (identifier: string, status: Status): Xml =>
  parent(
    'ValidationConstraint',
    leaf('ValidationConstraintIdentifier', identifier),
    parent('ConstraintStatus', leaf('Status', 'urn:etsi:019102:constraintStatus:applied')),
    parent('ValidationStatus', statusElements(status)),
  )
