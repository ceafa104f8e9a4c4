import { useTranslation } from 'react-i18next'
import { jobStatuses } from '../api/types.ts'

const sources = ['Watcher', 'Upload', 'Retry', 'Rescan', 'SignerFolder'] as const
const formats = ['Pades', 'Cades', 'Xades', 'auto'] as const

/** Labels of statuses, sources and formats; a value newer than this page keeps the name of the wire. */
export function useWireNames() {
  const { t } = useTranslation('batch')
  return {
    status: (name: string) => {
      const known = jobStatuses.find((status) => status === name)
      return known ? t(`status.${known}`) : name
    },
    source: (name: string) => {
      const known = sources.find((source) => source === name)
      return known ? t(`source.${known}`) : name
    },
    format: (name: string) => {
      const known = formats.find((format) => format === name)
      return known ? t(`format.${known}`) : name
    },
  }
}
