// What reader and writer of zip archives share (APPNOTE 6.3.10).

export const signatures = { local: 0x04034b50, descriptor: 0x08074b50, entry: 0x02014b50, end: 0x06054b50 } as const

/** Bytes of each record before its variable part. */
export const fixed = { local: 30, entry: 46, end: 22 } as const

export const methods = { stored: 0, deflated: 8 } as const

export const flags = {
  encrypted: 0x0001,
  /** Sizes and checksum stand behind the data. */
  descriptor: 0x0008,
  strongEncryption: 0x0040,
  utf8: 0x0800,
  maskedHeaders: 0x2000,
} as const

/** A file of an archive: its content, and the bytes it is made of. */
export interface ZipEntry {
  readonly name: string
  readonly content: Buffer
  readonly isStored: boolean
  /** Whether its local header has extra fields. */
  readonly hasExtra: boolean
  /** Where its local header is. */
  readonly offset: number
  /** Local header, data and descriptor. */
  readonly record: Buffer
  /** Its header in the central directory. */
  readonly header: Buffer
}

export interface ZipArchive {
  /** Files, in the order of their data; folders are left out. */
  readonly entries: readonly ZipEntry[]
  readonly comment: string
}

/** Files of the same name for a file system that knows no case, or writes accents in another form. */
export const sameName = (name: string): string => name.normalize('NFC').toLowerCase()
