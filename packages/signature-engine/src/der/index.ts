// DER, read in place and written so that signatures hold.
//
//   const [version, serial] = readDer(bytes).sequence().rest()
//   const der = sequence(integer(1), setOf(a, b))
export { contentOf, DerMembers, DerValue, membersOf, readDer, readFirstDer } from './der-value.ts'
export {
  bitString,
  bmpString,
  boolean,
  type Der,
  enumerated,
  explicit,
  generalizedTime,
  ia5String,
  implicit,
  integer,
  namedBits,
  nothing,
  octetString,
  oid,
  printableString,
  sequence,
  setOf,
  time,
  tlv,
  utf8String,
} from './der-writer.ts'
export { fromBer } from './from-ber.ts'
export { derFromAnything, pemBlocks, toPem } from './pem.ts'
export { contextConstructed, contextPrimitive, tags } from './tags.ts'
