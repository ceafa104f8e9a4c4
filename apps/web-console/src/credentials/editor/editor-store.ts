// What is being typed, outside of React: a field is drawn again when its own value changes, not with every key.
import { useSyncExternalStore } from 'react'
import { type Draft, stepsOf, valueAt, withValue } from '../parts/draft.ts'

/** Problems by the path of their field, with dots only. */
export type Problems = ReadonlyMap<string, readonly string[]>

export const plainPath = (path: string): string => stepsOf(path).join('.')

/** The element of a field or part: where a problem leads to. */
export const elementId = (path: string): string => `field-${plainPath(path)}`

/** Frames that opening the parts around a field may take. */
const MOST_FRAMES = 30

export class EditorStore {
  #draft: Draft
  #problems: Problems = new Map()
  #target: string | undefined
  readonly #listeners = new Set<() => void>()
  /** Whether the draft was made into a document, or given up: it is not kept any more. */
  isOver = false

  constructor(draft: Draft) {
    this.#draft = draft
  }

  get draft(): Draft {
    return this.#draft
  }

  get problems(): Problems {
    return this.#problems
  }

  /** The path that is to be shown: parts around it open. */
  get target(): string | undefined {
    return this.#target
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  value(path: string): unknown {
    return valueAt(this.#draft, path)
  }

  set(path: string, value: unknown): void {
    this.#change(withValue(this.#draft, path, value))
  }

  replace(draft: Draft): void {
    this.#change(draft)
  }

  #change(draft: Draft): void {
    this.#draft = draft
    this.#tell()
  }

  tell(errors: Readonly<Record<string, readonly string[]>>): void {
    this.#problems = new Map(Object.entries(errors).map(([path, says]) => [plainPath(path), says]))
    this.#tell()
  }

  /** Opens what is around a field, and moves the focus to it, or to the nearest part around it that is shown. */
  reveal(path: string): void {
    this.#target = plainPath(path)
    this.#tell()
    this.#focus(this.#target, MOST_FRAMES)
  }

  #focus(path: string, frames: number): void {
    requestAnimationFrame(() => {
      const found = document.getElementById(elementId(path))
      if (found) focusOn(found)
      else if (frames > 0) this.#focus(path, frames - 1)
      else if (path.includes('.')) this.#focus(path.slice(0, path.lastIndexOf('.')), 0)
    })
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }
}

function focusOn(element: HTMLElement): void {
  element.focus({ preventScroll: true })
  element.scrollIntoView({ block: 'center' })
}

/** Reads something of the store, and is drawn again when it changes; it must be the same while it has not. */
export const useOf = <T>(store: EditorStore, read: (store: EditorStore) => T): T =>
  useSyncExternalStore(store.subscribe, () => read(store))
