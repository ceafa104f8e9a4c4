import forge from 'node-forge'
import { KeyProblem } from './key-problem.ts'

export type Node = forge.asn1.Asn1

/** Bytes as the library represents them: one character each. */
export type Binary = string

export function parse(bytes: Binary): Node {
  try {
    return forge.asn1.fromDer(bytes)
  } catch (cause) {
    throw new KeyProblem('not-pkcs12', { cause })
  }
}

/** The parts of a sequence, set or explicit tag. */
export function parts(node: Node | undefined): readonly Node[] {
  if (!node || !Array.isArray(node.value)) throw new KeyProblem('not-pkcs12')
  return node.value
}

/** The bytes of an OCTET STRING, which some encoders split into pieces. */
export function octets(node: Node | undefined): Binary {
  if (!node) throw new KeyProblem('not-pkcs12')
  return Array.isArray(node.value) ? node.value.map(octets).join('') : node.value
}

export const oidOf = (node: Node | undefined): string => forge.asn1.derToOid(octets(node))

export const numberOf = (node: Node | undefined): number =>
  [...octets(node)].reduce((value, byte) => value * 256 + byte.charCodeAt(0), 0)

export const serialize = (node: Node): Binary => forge.asn1.toDer(node).getBytes()
