/** One row of `file_rule`: what files people may bring to the sessions of a subscription. */
export interface FileRuleRow {
  subscription_id: string
  /** A regular expression that the whole name must match; null: any name. */
  name_pattern: string | null
  /** Asked about every file; null: nobody is asked. */
  url: string | null
  auth_type: 'NoAuth' | 'Basic' | 'Bearer' | 'ApiKey'
  sealed_token: string | null
  updated_at: string
}

export interface FileRuleTables {
  file_rule: FileRuleRow
}
