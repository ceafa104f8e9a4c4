// What the prover and the process of the site tell each other. The site is everybody around the service who is never
// killed: who takes its outputs away, and who writes its inputs.

/** From the prover to the site. */
export type SiteOrder =
  /** Begins to take outputs. */
  | { readonly order: 'begin'; readonly root: string }
  /** Answers `drained` when everything that was in output/ by now is taken. */
  | { readonly order: 'drain' }
  /** Answers `written` when the writer has closed its file for the last time. */
  | { readonly order: 'write'; readonly writer: WriterPlan }

/** How a program may write a file in place. */
export const writerKinds = ['slow', 'stalling', 'locked', 'rewriting', 'empty'] as const

export type WriterKind = (typeof writerKinds)[number]

export interface WriterPlan {
  readonly how: WriterKind
  /** The number of the file decides its content. */
  readonly number: number
  readonly path: string
  /** Milliseconds for which it stops in the middle. */
  readonly pauseMs: number
  /** Milliseconds until one that rewrites begins again. */
  readonly againMs: number
}

/** An output that was taken from output/. */
export interface Taken {
  /** Its name in output/. */
  readonly name: string
  /** Where the consumer put it. */
  readonly path: string
  readonly sha256: string
  /** ISO 8601. */
  readonly at: string
  readonly way: 'renamed' | 'copied and deleted'
}

/** From the site to the prover. */
export type SiteWord =
  | { readonly word: 'loaded' | 'drained' }
  | { readonly word: 'taken'; readonly taken: Taken }
  | { readonly word: 'written'; readonly number: number }
  | { readonly word: 'trouble'; readonly text: string }

/** Part of a file's name that the consumer leaves lying in output/. */
export const STAYS = 'stays-'
