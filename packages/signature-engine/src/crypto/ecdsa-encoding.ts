import type { KeyObject } from 'node:crypto'
import { readDer } from '../der/der-value.ts'
import { integer, sequence } from '../der/der-writer.ts'
import { requireArguments } from '../errors/arguments.ts'
import { pairWidthOf } from './curves.ts'

/**
 * CMS requires SEQUENCE { r, s }; WebCrypto, XML, BSI plain ECDSA and many tokens use r‖s. A DER signature is returned
 * unchanged, and so is one of a key whose width is not known.
 */
export function ecdsaToDer(key: KeyObject, signature: Uint8Array): Uint8Array {
  requireArguments('ecdsaToDer', { key: [key, 'key'], signature: [signature, 'bytes'] })
  const width = pairWidthOf(key)
  if (width === undefined || signature.length !== 2 * width || isDerPair(signature)) return signature
  return sequence(integer(signature.subarray(0, width)), integer(signature.subarray(width)))
}

/** XMLDSig §6.4.3 requires r‖s, each as wide as the curve's order; a curve of unknown order keeps what it has. */
export function ecdsaToFixedWidth(key: KeyObject, signature: Uint8Array): Uint8Array {
  requireArguments('ecdsaToFixedWidth', { key: [key, 'key'], signature: [signature, 'bytes'] })
  const width = pairWidthOf(key) ?? 0
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
