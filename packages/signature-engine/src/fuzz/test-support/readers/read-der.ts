import { type DerValue, readDer, readFirstDer } from '../../../der/der-value.ts'
import { fromBer } from '../../../der/from-ber.ts'
import { derFromAnything, pemBlocks } from '../../../der/pem.ts'
import { readCertificates } from '../../../x509/certificate-files.ts'
import { ask, type Reader } from './reader.ts'

/** Every accessor of a value, the right one among them. */
const questions: readonly ((value: DerValue) => unknown)[] = [
  (value) => value.integer(),
  (value) => value.smallInteger(),
  (value) => value.boolean(),
  (value) => value.oid(),
  (value) => value.octets(),
  (value) => value.bits(),
  (value) => value.namedBits(),
  (value) => value.text(),
  (value) => value.time(),
  (value) => value.unwrap(),
  (value) => value.sequence().rest(),
]

/** The DER reader itself, the BER converter and the PEM finder. */
export const readAnyDer: Reader = (bytes) => {
  ask(() => walk(readDer(bytes)))
  ask(() => walk(readFirstDer(bytes)))
  ask(() => walk(readDer(fromBer(bytes))))
  ask(() => pemBlocks(bytes.toString('latin1'), 'CERTIFICATE'))
  ask(() => derFromAnything(bytes, 'CERTIFICATE'))
  ask(() => readCertificates(bytes))
  return undefined
}

/** Values read in one case: every refusal is an error with a stack, and a million would be the fuzzer's fault. */
const MAX_ASKED = 1_000

// By a list, not by recursion: the depth of the input must not become the depth of this stack.
function walk(root: DerValue): void {
  const waiting = [root]
  for (let asked = 0; asked < MAX_ASKED && waiting.length > 0; asked++) {
    const current = waiting.pop()!
    for (const question of questions) ask(() => question(current))
    if ((current.tag & 0x20) !== 0) ask(() => waiting.push(...current.members().slice(0, 1_000)))
  }
}
