import { NativeSelect, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FileField } from '../../shared/parts/file-field.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { listQuery, MOST_CHOICES, saveItem } from '../api/lists.ts'
import { type Course, type Flow, type Item, transcriptTypes } from '../api/types.ts'
import { BackLink } from '../parts/back-link.tsx'
import { type Draft, valueAt } from '../parts/draft.ts'
import { FormEnd } from '../parts/form-end.tsx'
import { InstituteSelect } from '../parts/institute-select.tsx'
import { jsonIn } from '../parts/json-in.ts'
import classes from '../parts/parts.module.css'
import { useDraftForm } from '../parts/use-draft-form.ts'

type Made = 'academic-transcripts' | 'curriculums'

const documentKinds = { 'academic-transcripts': 'AcademicTranscript', curriculums: 'Curriculum' } as const

export const NewTranscriptPage = () => <NewItemPage resource="academic-transcripts" />
export const NewCurriculumPage = () => <NewItemPage resource="curriculums" />

/** A document from the data of an academic system, as the layout names them; every problem is told at once. */
function NewItemPage({ resource }: { resource: Made }) {
  const { t } = useTranslation('credentials-items')
  return (
    <>
      <PageHead
        title={t(`kind.${resource}.new`)}
        above={<BackLink to={`/${resource}`}>{t(`kind.${resource}.title`)}</BackLink>}
        lead={t('making.lead')}
      />
      <NewItemForm resource={resource} />
    </>
  )
}

function NewItemForm({ resource }: { resource: Made }) {
  const { t } = useTranslation(['credentials-items', 'credentials-setup', 'credentials-partnerships'])
  const navigate = useNavigate()
  const [isBroken, setBroken] = useState(false)
  const form = useDraftForm<Item>(
    { data: '', ...(resource === 'academic-transcripts' && { type: 'Partial' }) },
    (body) => saveItem<Item>(resource, undefined, { ...(body as object), data: jsonIn((body as Draft).data) }),
    () => t('making.done'),
  )
  const instituteId = String(valueAt(form.draft, 'instituteId') ?? '')

  async function submit(event: Parameters<typeof form.submit>[0]) {
    event.preventDefault()
    const broken = jsonIn(valueAt(form.draft, 'data')) === undefined
    setBroken(broken)
    const made = broken ? undefined : await form.submit(event)
    if (made) await navigate({ to: `/${resource}/$id`, params: { id: made.id } })
  }

  return (
    // The browser's own validation messages may be in another language than the page.
    <form className={classes.column} onSubmit={(event) => void submit(event)} noValidate>
      <Panel title={t('making.who')}>
        <div className={classes.form}>
          <InstituteSelect none={t('credentials-partnerships:choose')} required {...form.field('instituteId')} />
          <NativeSelect data={useCourses(instituteId)} {...form.field('courseId')} />
          <NativeSelect data={useFlows(documentKinds[resource])} {...form.field('flowId')} />
          {resource === 'academic-transcripts' && (
            <NativeSelect
              data={transcriptTypes.map((value) => ({ value, label: t(`types.${value}`) }))}
              {...form.field('type')}
            />
          )}
        </div>
      </Panel>
      <Panel title={t('making.data')} lead={t('making.dataLead')}>
        <FileField
          label={t('making.file')}
          accept=".json,application/json"
          chosen={undefined}
          onFiles={([file]) => void file?.text().then((text) => form.set('data', text))}
        />
        <Textarea
          rows={16}
          spellCheck={false}
          required
          classNames={{ input: classes.code! }}
          {...form.field('data')}
          label={t('making.json')}
          error={isBroken && t('credentials-setup:templates.broken')}
        />
      </Panel>
      <FormEnd form={form} />
    </form>
  )
}

const named = (items: readonly { readonly id: string; readonly name: string }[] | undefined) => [
  { value: '', label: '–' },
  ...(items ?? []).map(({ id, name }) => ({ value: id, label: name })),
]

const useCourses = (instituteId: string) =>
  named(useQuery(listQuery<Course>('courses', { instituteId, pageSize: MOST_CHOICES })).data?.items)

const useFlows = (kind: Flow['documentKind']) =>
  named(
    useQuery(listQuery<Flow>('flows', { pageSize: MOST_CHOICES })).data?.items.filter(
      ({ documentKind }) => documentKind === kind,
    ),
  )
