import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Download, Upload } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CallFailure } from '../../shared/api/request.ts'
import { FileField } from '../../shared/parts/file-field.tsx'
import { useNotices } from '../../shared/parts/notices.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { ProblemNote } from '../../shared/parts/problem-note.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { type BatchResource, batchesOf, batchResources, sendBatch } from '../api/batches.ts'
import { save } from '../api/items.ts'
import { listQuery, MOST_CHOICES } from '../api/lists.ts'
import { type Course, type Flow, transcriptTypes } from '../api/types.ts'
import { BackLink } from '../parts/back-link.tsx'
import { InstituteSelect } from '../parts/institute-select.tsx'
import classes from '../parts/parts.module.css'
import { useFieldWords } from '../parts/use-field-words.ts'
import own from './batches.module.css'

/** Who signs what, by kind: the option of the API, and the document that its flow is for. */
const flowFields = {
  degrees: [
    ['academicDocumentationFlowId', 'AcademicDocumentation'],
    ['degreeFlowId', 'Degree'],
    ['academicTranscriptFlowId', 'AcademicTranscript'],
  ],
  emissions: [['flowId', 'AcademicDocumentation']],
  'academic-transcripts': [['flowId', 'AcademicTranscript']],
} as const satisfies Readonly<Record<BatchResource, readonly (readonly [string, Flow['documentKind']])[]>>

type Options = Readonly<Record<string, string>>

/** A file of rows becomes documents. */
export function NewBatchPage() {
  const { t } = useTranslation('credentials-batches')
  return (
    <>
      <PageHead title={t('new')} above={<BackLink to="/batches">{t('title')}</BackLink>} lead={t('newLead')} />
      <NewBatchForm />
    </>
  )
}

function NewBatchForm() {
  const { t } = useTranslation('credentials-batches')
  const navigate = useNavigate()
  const [resource, setResource] = useState<BatchResource>('degrees')
  const [options, setOptions] = useState<Options>({})
  const [file, setFile] = useState<File>()
  const [share, setShare] = useState<number>()
  const [failure, setFailure] = useState<unknown>()
  const { attempt, busy } = useAction(sendBatch, () => t('taken'))

  async function submit(event: FormEvent) {
    event.preventDefault()
    setFailure(undefined)
    try {
      const type = resource === 'academic-transcripts' && { type: options.type ?? 'Final' }
      const { id } = await attempt({ resource, file: file!, options: { ...options, ...type }, onProgress: setShare })
      await navigate({ to: '/batches/$resource/$id', params: { resource, id } })
    } catch (error) {
      setFailure(error)
    } finally {
      setShare(undefined)
    }
  }

  return (
    <form className={classes.column} onSubmit={(event) => void submit(event)} noValidate>
      <Panel title={t('what')}>
        <OptionFields
          resource={resource}
          options={options}
          onResource={(next) => {
            // Flows of one kind are none of another.
            setResource(next)
            setOptions(({ instituteId = '', courseId = '' }) => ({ instituteId, courseId }))
          }}
          onChange={(name, value) => setOptions((former) => ({ ...former, [name]: value }))}
        />
      </Panel>
      <Panel
        title={t('fileTitle')}
        lead={t('fileLead')}
        actions={<TemplateButton resource={resource} options={options} />}
      >
        <FileField
          label={t('file')}
          accept=".csv,.ndjson,.jsonl,.json,text/csv,application/json"
          chosen={file?.name}
          onFiles={([chosen]) => setFile(chosen)}
        />
        {share !== undefined && <progress value={share} max={1} aria-label={t('sending')} className={own.progress!} />}
        {failure !== undefined && <ProblemNote error={failure} />}
        <ColumnProblems failure={failure} />
        <div className={classes.buttons}>
          <Button
            type="submit"
            loading={busy}
            disabled={!options.instituteId || file === undefined}
            leftSection={<Upload size={16} aria-hidden="true" />}
          >
            {t('send')}
          </Button>
        </div>
      </Panel>
    </form>
  )
}

interface OptionFieldsProps {
  resource: BatchResource
  options: Options
  onResource: (resource: BatchResource) => void
  onChange: (name: string, value: string) => void
}

/** What holds for every row. */
function OptionFields({ resource, options, onResource, onChange }: OptionFieldsProps) {
  const { t } = useTranslation(['credentials-batches', 'credentials-items', 'credentials', 'credentials-partnerships'])
  const field = (name: string) => ({
    value: options[name] ?? '',
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => onChange(name, currentTarget.value),
  })
  return (
    <div className={classes.form}>
      <NativeSelect
        label={t('kind')}
        value={resource}
        onChange={({ currentTarget }) => onResource(currentTarget.value as BatchResource)}
        data={batchResources.map((value) => ({ value, label: t(`credentials-items:kind.${value}.title`) }))}
      />
      <InstituteSelect
        label={t('credentials:institute')}
        none={t('credentials-partnerships:choose')}
        required
        offered={({ kind }) => kind !== 'Registrar' && (resource !== 'degrees' || kind === 'IssuerAndRegistrar')}
        {...field('instituteId')}
      />
      <NativeSelect
        label={t('credentials-items:course')}
        data={useCourses(options.instituteId ?? '')}
        {...field('courseId')}
      />
      {resource === 'academic-transcripts' && (
        <NativeSelect
          label={t('credentials-items:type')}
          data={transcriptTypes.map((value) => ({ value, label: t(`credentials-items:types.${value}`) }))}
          {...field('type')}
          value={options.type ?? 'Final'}
        />
      )}
      {flowFields[resource].map(([name, kind]) => (
        <FlowSelect key={name} kind={kind} {...field(name)} />
      ))}
    </div>
  )
}

type Change = (event: { currentTarget: { value: string } }) => void

function FlowSelect({ kind, ...select }: { kind: Flow['documentKind']; value: string; onChange: Change }) {
  const { t } = useTranslation('credentials-batches')
  const flows = useQuery(listQuery<Flow>('flows', { pageSize: MOST_CHOICES })).data?.items
  const data = named(
    flows?.filter(({ documentKind }) => documentKind === kind),
    t('usualFlow'),
  )
  return <NativeSelect label={t(`flows.${kind as 'Degree'}`)} data={data} {...select} />
}

const named = (items: readonly { readonly id: string; readonly name: string }[] | undefined, none: string) => [
  { value: '', label: none },
  ...(items ?? []).map(({ id, name }) => ({ value: id, label: name })),
]

function useCourses(instituteId: string) {
  const { t } = useTranslation('credentials-batches')
  const { data } = useQuery(listQuery<Course>('courses', { instituteId, pageSize: MOST_CHOICES }))
  return named(instituteId === '' ? [] : data?.items, t('courseInFile'))
}

/** A file to begin with, for what was chosen. */
function TemplateButton({ resource, options }: { resource: BatchResource; options: Options }) {
  const { t } = useTranslation('credentials-batches')
  const { failed } = useNotices()
  const query = new URLSearchParams({
    withCourse: String(Boolean(options.courseId)),
    ...(resource === 'academic-transcripts' && { type: options.type ?? 'Final' }),
  })
  const address = `/api/${batchesOf(resource)}/csv-template?${query}`
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<Download size={14} aria-hidden="true" />}
      onClick={() => void save(address, 'template.csv').catch(failed)}
    >
      {t('template')}
    </Button>
  )
}

/** Columns that there are none of, each by its name. */
function ColumnProblems({ failure }: { failure: unknown }) {
  const { problem } = useFieldWords()
  if (!(failure instanceof CallFailure) || failure.reason.kind !== 'refused') return null
  const { errors } = failure.reason.problem
  return (
    <ul className={classes.problems}>
      {Object.entries(errors).map(([path, [says = '']]) => (
        <li key={path}>
          <code>{path}</code>: {problem({ path, says })}
        </li>
      ))}
    </ul>
  )
}
