import { Button, Textarea } from '@mantine/core'
import { Download, FileInput } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FileField } from '../../shared/parts/file-field.tsx'
import { useNotices } from '../../shared/parts/notices.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { valueAt } from '../parts/draft.ts'
import { jsonIn } from '../parts/json-in.ts'
import parts from '../parts/parts.module.css'
import { useEditing } from './editing.tsx'
import { asSent, isNode, strangersIn } from './form-data.ts'
import type { Variant } from './form-types.ts'

function saveText(text: string, download: string): void {
  const href = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  Object.assign(document.createElement('a'), { href, download }).click()
  URL.revokeObjectURL(href)
}

/** What the form sends, as text: to be saved, or to be replaced by the data of an academic system. */
export function JsonView({ variant, onApplied }: { variant: Variant; onApplied: () => void }) {
  const { t } = useTranslation('credentials-editor')
  const { store, filled } = useEditing()
  const { done } = useNotices()
  const [text, setText] = useState(() => {
    const value = valueAt(store.draft, variant.at)
    return JSON.stringify(asSent(variant.fields, isNode(value) ? value : {}, filled), null, 2)
  })
  const [problem, setProblem] = useState<string>()

  function apply() {
    const data = jsonIn(text)
    if (!data) return setProblem(t('json.broken'))
    const strangers = strangersIn(variant.fields, data)
    if (strangers.length > 0) return setProblem(t('json.strangers', { names: strangers.join(', ') }))
    store.set(variant.at, data)
    done(t('json.applied'))
    onApplied()
  }

  return (
    <Panel title={variant.label} lead={t('json.lead')}>
      <FileField
        label={t('json.file')}
        accept=".json,application/json"
        chosen={undefined}
        onFiles={([file]) => void file?.text().then(setText)}
      />
      <Textarea
        rows={18}
        spellCheck={false}
        classNames={{ input: parts.code! }}
        label={t('json.text')}
        value={text}
        error={problem}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <div className={parts.buttons}>
        <Button leftSection={<FileInput size={16} aria-hidden="true" />} onClick={apply}>
          {t('json.apply')}
        </Button>
        <Button
          variant="default"
          leftSection={<Download size={16} aria-hidden="true" />}
          onClick={() => saveText(text, `${variant.name}.json`)}
        >
          {t('json.save')}
        </Button>
      </div>
    </Panel>
  )
}
