import type { ComponentType } from 'react'
import type { Column } from '../../shared/parts/data-table.tsx'
import type { Key } from './application-dialogs.tsx'

/** What goes along with a new key. */
export type KeyFields = Readonly<Record<string, unknown>>

export interface KeyFieldsProps {
  onChange: (fields: KeyFields) => void
}

/** What the keys of a service have besides. */
export interface KeyExtras {
  /** Further fields of the form for a new key. */
  readonly Fields: ComponentType<KeyFieldsProps>
  /** Further columns of the table of keys. */
  readonly useColumns: () => readonly Column<Key>[]
}

/** The keys of a service that has nothing to add. */
export const noExtras: KeyExtras = { Fields: () => null, useColumns: () => [] }
