import { explicit, integer, nothing, oid, sequence } from '../../../der/der-writer.ts'
import type { Random } from '../random.ts'
import { inTree } from './der.ts'
import { type DerNode, parseTree } from './der-tree.ts'
import type { Mutators } from './mutator.ts'

const RSA_PSS = '1.2.840.113549.1.1.10'
const MGF1 = '1.2.840.113549.1.1.8'

/** SHA-1, SHA-2, SHA-3, MD5, and one that nobody knows. */
const hashes = [
  '1.3.14.3.2.26',
  '2.16.840.1.101.3.4.2.1',
  '2.16.840.1.101.3.4.2.2',
  '2.16.840.1.101.3.4.2.3',
  '2.16.840.1.101.3.4.2.8',
  '1.2.840.113549.2.5',
  '1.3.6.1.4.1.99999.1',
]

/** rsaEncryption, RSA with SHA-1 and SHA-256, PSS, ECDSA, Ed25519, and none. */
const signatures = [
  '1.2.840.113549.1.1.1',
  '1.2.840.113549.1.1.5',
  '1.2.840.113549.1.1.11',
  RSA_PSS,
  '1.2.840.10045.4.3.2',
  '1.3.101.112',
  '1.3.6.1.5.5.7.6.2',
]

const salts = [0, 1, 19, 20, 21, 31, 32, 33, 48, 64, 190, 222, 223, 2_048, 2 ** 31]

const identifier = (hash: string, random: Random) => sequence(oid(hash), random.chance(0.5) ? nothing : undefined)

/** RSASSA-PSS-params (RFC 4055 §3.1): each of the four is left out or another. */
function parameters(random: Random): DerNode {
  const maybe = <T>(value: T) => (random.chance(0.7) ? value : undefined)
  const [hash, mask, salt] = [maybe(random.pick(hashes)), maybe(random.pick(hashes)), maybe(random.pick(salts))]
  const trailer = random.pick([undefined, undefined, 1, 2, 0xbc])
  const der = sequence(
    hash === undefined ? undefined : explicit(0, identifier(hash, random)),
    mask === undefined
      ? undefined
      : explicit(1, sequence(oid(random.pick([MGF1, MGF1, RSA_PSS])), identifier(mask, random))),
    salt === undefined ? undefined : explicit(2, integer(salt)),
    trailer === undefined ? undefined : explicit(3, integer(trailer)),
  )
  return parseTree(der)![0]!
}

const objectIdentifier = (text: string): DerNode => parseTree(oid(text))![0]!
const isOid = (node: DerNode | undefined): boolean => node?.tag === 0x06

/** An AlgorithmIdentifier, or what looks like one. */
const isIdentifier = ({ members }: DerNode): boolean =>
  members !== undefined && members.length > 0 && members.length <= 2 && isOid(members[0])
const PSS_CONTENT = objectIdentifier(RSA_PSS).content
const isPss = (node: DerNode): boolean => isIdentifier(node) && node.members![0]!.content.equals(PSS_CONTENT)

/** Mutators for AlgorithmIdentifiers: well formed, with another meaning. */
export const algorithmDamage: Mutators = {
  'PSS parameters': inTree((list, index, random) => {
    list[index] = { ...list[index]!, members: [list[index]!.members![0]!, parameters(random)] }
  }, isPss),
  'fewer PSS parameters': inTree((list, index, random) => {
    const [name, given] = list[index]!.members!
    const members = given?.members?.toSpliced(random.below(4), 1)
    list[index] = { ...list[index]!, members: members ? [name!, { ...given!, members }] : [name!] }
  }, isPss),
  'the order of PSS parameters': inTree((list, index) => {
    const [name, given] = list[index]!.members!
    if (given?.members)
      list[index] = { ...list[index]!, members: [name!, { ...given, members: given.members.toReversed() }] }
  }, isPss),
  'no parameters': inTree((list, index, random) => {
    const none = parseTree(nothing)!
    list[index] = { ...list[index]!, members: [list[index]!.members![0]!, ...random.pick([[], none])] }
  }, isIdentifier),
  'another algorithm': inTree((list, index, random) => {
    const [, ...rest] = list[index]!.members!
    list[index] = { ...list[index]!, members: [objectIdentifier(random.pick([...signatures, ...hashes])), ...rest] }
  }, isIdentifier),
}
