import type { Point } from './plane.ts'

/** A face on a frame, measured by an engine. Angles are in degrees and have any zero: only their changes count. */
export interface Face {
  /** Grows as the person turns to the left, as the person sees it. */
  readonly yaw: number
  /** Grows as the person looks down. */
  readonly pitch: number
  /** How far the mouth is open, in parts of the height of the face. */
  readonly mouth: number
  /** The middle of the face, in parts of the frame. */
  readonly x: number
  readonly y: number
  /** The height of the face in parts of that of the frame. */
  readonly size: number
  /** From 0 to 1. */
  readonly brightness: number
  /** Points that bone holds together, the same on every frame, in pixels; those of the face's plane and the nose before it. */
  readonly rigid: readonly Point[]
  /** Pixels between the eyes' outer corners. */
  readonly unit: number
}

/** What an engine sees on a frame; null: it is no picture. */
export type Seen = { readonly faces: number; readonly face?: Face } | null
