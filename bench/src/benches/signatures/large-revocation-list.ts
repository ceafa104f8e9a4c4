import { createHash, sign } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  bitString,
  enumerated,
  explicit,
  integer,
  nothing,
  octetString,
  oid,
  sequence,
  time,
  tlv,
  toPem,
} from '@chancela/signature-engine/der'
import { Certificate } from '@chancela/signature-engine/x509'
import type { SigningWorld } from './signing-world.ts'

export const ENTRIES = 140_000

/**
 * Writes what validating one certificate needs: its chain, the short lists above, and the large one that revokes it.
 */
export async function writeLargeList(folder: string, { pki, rsa, now }: SigningWorld): Promise<string> {
  await mkdir(folder)
  const write = (name: string, content: Uint8Array | string) => writeFile(join(folder, name), content)
  const [level1, root] = await Promise.all(
    ['level-1', 'root'].map((label) => pki.revocationList(pki.certificate(label))),
  )
  const pem = [rsa.certificate, ...rsa.chain].map(({ der }) => toPem('CERTIFICATE', der))
  const { der, key } = pki.certificate('level-2')
  const content = listContent(Certificate.read(der), rsa.certificate, now)
  const signature = sign('sha512', content, key.privateKey)
  await Promise.all([
    write('chain.pem', pem.join('')),
    write('level-1.crl', level1!.der),
    write('root.crl', root!.der),
    write('large.crl', sequence(content, algorithm, bitString(signature))),
  ])
  return folder
}

const algorithm = sequence(oid('1.2.840.113549.1.1.13'), nothing)
const SEQUENCE = 0x30
const DAY_MS = 86_400_000

/** TBSCertList of RFC 5280 §5.1, each entry with a serial number of sixteen bytes and a reason. */
function listContent(issuer: Certificate, revoked: Certificate, now: Date): Buffer {
  const superseded = sequence(sequence(oid('2.5.29.21'), octetString(enumerated(4))))
  const entry = (serial: Uint8Array) => sequence(integer(serial), time(now), superseded)
  const others = Array.from({ length: ENTRIES - 1 }, (_, i) => entry(serial(i)))
  return sequence(
    integer(1),
    algorithm,
    issuer.subject.der,
    time(new Date(now.getTime() - DAY_MS)),
    time(new Date(now.getTime() + DAY_MS)),
    tlv(SEQUENCE, Buffer.concat(others), entry(revoked.serialNumber)),
    explicit(0, sequence(sequence(oid('2.5.29.20'), octetString(integer(1))))),
  )
}

function serial(index: number): Buffer {
  const bytes = createHash('sha256').update(String(index)).digest().subarray(0, 16)
  bytes[0] = (bytes[0]! & 0x7f) | 0x40
  return bytes
}
