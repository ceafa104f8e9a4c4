import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../shared/parts/panel.tsx'
import { saveItem } from '../api/lists.ts'
import { type Template, templateKinds } from '../api/types.ts'
import type { Draft } from '../parts/draft.ts'
import { FormEnd } from '../parts/form-end.tsx'
import { InstituteSelect } from '../parts/institute-select.tsx'
import { jsonIn } from '../parts/json-in.ts'
import classes from '../parts/parts.module.css'
import { useDraftForm } from '../parts/use-draft-form.ts'

export interface TemplateFormProps {
  id?: string
  draft: Draft
  onSaved?: (template: Template) => void
}

/** How the visual representation of a document looks; the content is data, as JSON. */
export function TemplateForm({ id, draft, onSaved }: TemplateFormProps) {
  const { t } = useTranslation(['credentials-setup', 'credentials'])
  const [isBroken, setBroken] = useState(false)
  const form = useDraftForm(
    draft,
    // The content is sent as it was written, with what is empty in it.
    (body) => saveItem<Template>('templates', id, { ...(body as object), content: jsonIn((body as Draft).content) }),
    ({ name }) => t('saved', { name }),
  )

  async function submit(event: Parameters<typeof form.submit>[0]) {
    event.preventDefault()
    const broken = jsonIn(form.draft.content) === undefined
    setBroken(broken)
    const saved = broken ? undefined : await form.submit(event)
    if (saved) onSaved?.(saved)
  }

  return (
    // The browser's own validation messages may be in another language than the page.
    <form className={classes.column} onSubmit={(event) => void submit(event)} noValidate>
      <Panel title={t('templates.identity')}>
        <div className={classes.form}>
          <TextInput className={classes.wide!} maxLength={255} required {...form.field('name')} />
          <NativeSelect
            data={templateKinds.map((value) => ({ value, label: t(`templates.kind.${value}`) }))}
            {...form.field('kind')}
          />
          <InstituteSelect none={t('credentials:anyInstitute')} {...form.field('instituteId')} />
        </div>
        <Textarea
          description={t('templates.contentHint')}
          rows={16}
          spellCheck={false}
          required
          classNames={{ input: classes.code! }}
          {...form.field('content')}
          error={isBroken ? t('templates.broken') : form.problemAt('content')}
        />
      </Panel>
      <FormEnd form={form} />
    </form>
  )
}
