import type { AppearancePlace } from './drawn-appearance.ts'

/** A picture made of elements in boxes, such as a mark on pages; a visible signature is one, too. */
export interface Drawing extends AppearancePlace {
  /** Drawn in this order. */
  readonly elements: readonly DrawingElement[]
  /** Default: what lies behind shows through. */
  readonly background?: Color
  readonly border?: Border
}

interface Border {
  /** In points; the line lies inside the box. */
  readonly width: number
  /** Default black. */
  readonly color?: Color
}

/** Each from 0 to 1. */
export interface Color {
  readonly red: number
  readonly green: number
  readonly blue: number
  /** 0 shows nothing. Default 1. */
  readonly alpha?: number
}

/** In points, from the lower left corner of the drawing. */
export interface DrawingBox {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export type DrawingElement = TextElement | ImageElement | QrCodeElement

interface CommonElement {
  readonly box: DrawingBox
  /** Degrees counterclockwise, within the box. Default 0. */
  readonly rotation?: number
  /** From 0, which shows nothing, to 1. Default 1. */
  readonly opacity?: number
  readonly horizontal?: 'left' | 'center' | 'right'
  readonly vertical?: 'top' | 'center' | 'bottom'
}

/** Runs one behind the other, broken at line ends and between words. Default: from the top, at the left. */
export interface TextElement extends CommonElement {
  readonly kind: 'text'
  readonly runs: readonly TextRun[]
  /** Sizes of text without one: refused where the least does not fit. Default: up to 12, and as small as it must be. */
  readonly fit?: TextFit
}

/** In points. */
export interface TextFit {
  readonly least: number
  readonly most: number
}

export interface TextRun {
  readonly text: string
  /** Default normal. */
  readonly style?: TextStyle
  /** Default black. */
  readonly color?: Color
  /** In points. Default: as large as the box allows, at most 12. */
  readonly size?: number
}

export type TextStyle = 'normal' | 'bold' | 'italic'

/** A PNG, also with transparency, or a JPEG, as large as the box allows. Default: in the middle. */
export interface ImageElement extends CommonElement {
  readonly kind: 'image'
  readonly image: Uint8Array
}

/** A square, as large as the box allows. Default: in the middle. */
export interface QrCodeElement extends CommonElement {
  readonly kind: 'qr-code'
  readonly text: string
  /** A light square that is four modules larger on each side, which readers need. Default: what is there shows. */
  readonly quietZone?: boolean
}
