// What an administrator gives besides the password.
import type { AdministratorRow } from './administrator-table.ts'

type Factor = 'app' | 'passkey'

export const factorsOf = ({
  sealed_totp,
  passkey_stamp,
}: Pick<AdministratorRow, 'sealed_totp' | 'passkey_stamp'>): Factor[] => [
  ...(sealed_totp === null ? [] : (['app'] as const)),
  ...(passkey_stamp === null ? [] : (['passkey'] as const)),
]

export const hasFactor = (administrator: Parameters<typeof factorsOf>[0]): boolean =>
  factorsOf(administrator).length > 0
