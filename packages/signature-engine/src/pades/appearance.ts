import type { Color, DrawingBox } from './drawing.ts'
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
  /** Behind everything. Default: white, of which 85 % is seen, so that text is legible over pictures. */
  readonly background?: Color | 'none'
  /** A thin line around everything. Default false. */
  readonly border?: boolean
  /** Default left. */
  readonly textAlign?: 'left' | 'right'
  /** The part of the box that text is written into. Default: what picture and QR code leave. */
  readonly textBox?: DrawingBox
  /** Draws the picture behind the text, as large as the box allows. Default: beside the text. */
  readonly behind?: PictureBehind
}

/** Where a picture stands behind the text. */
export interface PictureBehind {
  readonly horizontal: 'left' | 'center' | 'right'
  readonly vertical: 'top' | 'center' | 'bottom'
  /** From 0, which shows nothing, to 1. Default 1. */
  readonly opacity?: number
}
