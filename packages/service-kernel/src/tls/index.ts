// The certificates that servers show, and those of the authorities that clients trust.
export { readAuthorities } from './read-authorities.ts'
export { type Pair, type PairFiles, PairProblem } from './read-pair.ts'
export { ServedCertificate } from './served-certificate.ts'
