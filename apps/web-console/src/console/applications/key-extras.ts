import type { ComponentType } from 'react'
import type { Column } from '../../shared/parts/data-table.tsx'
import type { Key } from './application-dialogs.tsx'

/** Additional fields of a new key. */
export type KeyFields = Readonly<Record<string, unknown>>

export interface KeyFieldsProps {
  onChange: (fields: KeyFields) => void
}

/** What a service adds to the pages of its keys. */
export interface KeyExtras {
  /** Further fields of the form for a new key. */
  readonly Fields: ComponentType<KeyFieldsProps>
  /** Further columns of the table of keys. */
  readonly useColumns: () => readonly Column<Key>[]
}

/** The keys of a service that has nothing to add. */
export const noExtras: KeyExtras = { Fields: () => null, useColumns: () => [] }
