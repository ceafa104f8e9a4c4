import type { KeyFault } from './key-problem.ts'
import type { KeyCertificate } from './open-key.ts'

export type KeyRequest =
  | { readonly kind: 'open'; readonly file: Uint8Array; readonly password: string }
  | { readonly kind: 'sign'; readonly digest: string; readonly algorithm: string }

export type KeyAnswer =
  | { readonly kind: 'opened'; readonly certificate: KeyCertificate }
  | { readonly kind: 'signed'; readonly signature: string }
  | { readonly kind: 'failed'; readonly fault: KeyFault }
