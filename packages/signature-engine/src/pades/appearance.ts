import type { AppearancePlace } from './drawn-appearance.ts'

/** What a visible signature shows, and where. Picture at the left, text in the middle, QR code at the right. */
export interface Appearance extends AppearancePlace {
  /** Lines of text, broken between words where they are too long. Default none. */
  readonly lines?: readonly string[]
  /** In points. Default: as large as the box allows, at most 12. */
  readonly fontSize?: number
  /** A PNG, also with transparency, or a JPEG. Default none. */
  readonly image?: Uint8Array
  /** Text of a QR code, such as an address where the signature can be checked. Default none. */
  readonly qrCode?: string
  /** A thin line around everything. Default false. */
  readonly border?: boolean
}
