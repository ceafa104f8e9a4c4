import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../shared/parts/panel.tsx'
import { saveItem } from '../api/lists.ts'
import { previewQuery, templateGuideQuery } from '../api/templates.ts'
import { type Template, type TemplateGuide, type TemplateKind, templateKinds } from '../api/types.ts'
import type { Draft } from '../parts/draft.ts'
import { FormEnd } from '../parts/form-end.tsx'
import { InstituteSelect } from '../parts/institute-select.tsx'
import { jsonIn } from '../parts/json-in.ts'
import classes from '../parts/parts.module.css'
import { type FieldProblem, problemsIn, useDraftForm } from '../parts/use-draft-form.ts'
import { TemplatePreview } from './template-preview.tsx'

export interface TemplateFormProps {
  id?: string
  draft: Draft
  onSaved?: (template: Template) => void
}

/** So long nothing is typed before the draft is drawn. */
const PAUSE_MS = 700

/** A value once it has stayed the same for a while. */
function useSettled(value: string, pauseMs: number): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs)
    return () => clearTimeout(timer)
  }, [value, pauseMs])
  return settled
}

/** The last value that there was: what was drawn stays while the draft is wrong. */
function useLast<Value>(value: Value | undefined): Value | undefined {
  const [last, setLast] = useState(value)
  useEffect(() => {
    if (value !== undefined) setLast(value)
  }, [value])
  return last
}

const isOfContent = ({ path }: FieldProblem): boolean => /^content(\.|\[|$)/.test(path)

/** By the names that the JSON itself has. */
const toldOf = ({ path, says }: FieldProblem): string =>
  [path.replace(/^content\.?/, ''), says].filter(Boolean).join(': ')

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

  const kind = form.draft.kind as TemplateKind
  const { data: guide } = useQuery(templateGuideQuery(kind))
  const draftText = String(form.draft.content)
  const typed = useSettled(draftText, PAUSE_MS)
  const content = jsonIn(typed)
  const preview = useQuery(previewQuery(content && Object.keys(content).length > 0 ? { kind, content } : undefined))
  const drawn = useLast(preview.data)
  const problem = form.problems.find(isOfContent) ?? problemsIn(preview.error).find(isOfContent)

  return (
    // The browser's own validation messages may be in another language than the page.
    <form className={classes.column} onSubmit={(event) => void submit(event)} noValidate>
      <div className={classes.columns}>
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
            rows={24}
            spellCheck={false}
            required
            classNames={{ input: classes.code! }}
            {...form.field('content')}
            error={isBroken ? t('templates.broken') : problem && toldOf(problem)}
          />
          <Button
            variant="default"
            className={classes.button!}
            disabled={!guide}
            onClick={() => form.set('content', JSON.stringify(guide?.template, undefined, 2))}
          >
            {t('templates.usual')}
          </Button>
          {guide && <Tags guide={guide} />}
        </Panel>
        <TemplatePreview pdf={drawn} failure={preview.error} isDrawing={preview.isFetching} />
      </div>
      <FormEnd form={form} />
    </form>
  )
}

/** What texts may show, by the names that tags have. */
function Tags({ guide }: { guide: TemplateGuide }) {
  const { t } = useTranslation('credentials-setup')
  return (
    <details>
      <summary>{t('templates.tags')}</summary>
      <ul className={classes.details}>
        {guide.tags.map(({ tag, label }) => (
          <li key={tag}>
            <code translate="no">{`{{${tag}}}`}</code> {label}
          </li>
        ))}
      </ul>
    </details>
  )
}
