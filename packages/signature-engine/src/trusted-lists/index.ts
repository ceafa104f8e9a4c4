// Trusted lists of ETSI TS 119 612: who may issue qualified certificates and timestamps, and since when.
//
//   const list = await openTrustedList(bytes, { signers, now: new Date() })
//   const judge = createJudge({ anchors: TrustAnchors.of(anchorsOf(list)) })
export {
  type OpenPointedListsOptions,
  type OpenTrustedListOptions,
  openPointedLists,
  openTrustedList,
  type PointedList,
} from './open-trusted-list.ts'
export { readTrustedList } from './read-trusted-list.ts'
export { type AnchoringService, anchorsOf } from './service-anchors.ts'
export type { ServiceStatus, TrustedList, TrustedListPointer, TrustService } from './trusted-list.ts'
