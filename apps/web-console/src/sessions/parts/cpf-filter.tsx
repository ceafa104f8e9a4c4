import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatTaxId } from '../../shared/format/format-brazilian.ts'

/** Narrows a list to one CPF, typed with or without punctuation. */
export function CpfFilter({ cpf }: { cpf: string | undefined }) {
  const { t } = useTranslation('sessions')
  return (
    <TextInput
      name="cpf"
      type="search"
      inputMode="numeric"
      maxLength={14}
      label={t('cpf')}
      placeholder="000.000.000-00"
      defaultValue={formatTaxId(cpf ?? '')}
    />
  )
}
