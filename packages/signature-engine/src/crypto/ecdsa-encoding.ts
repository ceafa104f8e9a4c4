import type { KeyObject } from 'node:crypto'
import { readDer } from '../der/der-value.ts'
import { integer, sequence } from '../der/der-writer.ts'
import { requireArguments } from '../errors/arguments.ts'

const coordinateBytes: Readonly<Record<string, number>> = { prime256v1: 32, secp384r1: 48, secp521r1: 66 }

/** Bytes of r and of s for this key's curve. */
const widthOf = (key: KeyObject): number => coordinateBytes[key.asymmetricKeyDetails?.namedCurve ?? ''] ?? 0

/** CMS requires SEQUENCE { r, s }; WebCrypto, XML and many tokens use r‖s. A DER signature is returned unchanged. */
export function ecdsaToDer(key: KeyObject, signature: Uint8Array): Uint8Array {
  requireArguments('ecdsaToDer', { key: [key, 'key'], signature: [signature, 'bytes'] })
  const width = widthOf(key)
  if (signature.length !== 2 * width || isDerPair(signature)) return signature
  return sequence(integer(signature.subarray(0, width)), integer(signature.subarray(width)))
}

/** XMLDSig §6.4.3 requires r‖s, each as wide as the curve's order. */
export function ecdsaToFixedWidth(key: KeyObject, signature: Uint8Array): Uint8Array {
  requireArguments('ecdsaToFixedWidth', { key: [key, 'key'], signature: [signature, 'bytes'] })
  const width = widthOf(key)
  if (signature.length === 2 * width && !isDerPair(signature)) return signature
  const pair = readDer(signature).sequence()
  return Buffer.concat([padded(pair.next().integer(), width), padded(pair.next().integer(), width)])
}

// By chance r may begin with 0x30, but hardly with lengths that match to the last byte.
function isDerPair(signature: Uint8Array): boolean {
  try {
    const members = readDer(signature).sequence().rest()
    return members.length === 2 && members.every(({ tag }) => tag === 0x02)
  } catch {
    return false // not DER: the other encoding
  }
}

function padded(value: Buffer, width: number): Buffer {
  const significant = value[0] === 0 ? value.subarray(1) : value
  return Buffer.concat([Buffer.alloc(Math.max(0, width - significant.length)), significant])
}
