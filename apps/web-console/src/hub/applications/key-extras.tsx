import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { KeyExtras, KeyFieldsProps } from '../../console/applications/key-extras.ts'
import { linesIn } from './lines-in.ts'
import { RedirectUris } from './redirect-uris.tsx'

/** What the hub adds to keys: the redirect URIs of their users. */
export const keyExtras: KeyExtras = {
  Fields: RedirectUriField,
  useColumns: () => {
    const { t } = useTranslation('hub-redirect-uris')
    return [{ key: 'redirectUris', title: t('title'), cell: (apiKey) => <RedirectUris apiKey={apiKey} /> }]
  },
}

function RedirectUriField({ onChange }: KeyFieldsProps) {
  const { t } = useTranslation('hub-redirect-uris')
  const [text, setText] = useState('')
  return (
    <Textarea
      label={t('title')}
      description={`${t('onePerLine')} ${t('rule')}`}
      placeholder="https://app.example.com/callback"
      rows={3}
      maxLength={20_000}
      spellCheck={false}
      value={text}
      onChange={({ currentTarget: { value } }) => {
        setText(value)
        onChange({ redirectUris: linesIn(value) })
      }}
    />
  )
}
