// Rows of what is signed at the document platform of an organization.

/** One row of `platform_connection`: where an organization's people sign. */
export interface PlatformConnectionRow {
  subscription_id: string
  enabled: number
  /** Without a trailing slash. */
  url: string
  sealed_key: string
  folder_id: string | null
  updated_at: string
}

export interface PlatformTables {
  platform_connection: PlatformConnectionRow
}
