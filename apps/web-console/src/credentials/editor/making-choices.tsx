import { Checkbox, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { formatTaxId } from '../../shared/format/format-brazilian.ts'
import { Facts } from '../../shared/parts/facts.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import type { MadeResource } from '../api/forms.ts'
import { listQuery, MOST_CHOICES } from '../api/lists.ts'
import type { Course, Flow, Institute } from '../api/types.ts'
import { InstituteSelect } from '../parts/institute-select.tsx'
import { useFieldWords } from '../parts/use-field-words.ts'
import { useEditing, useProblem, useValue } from './editing.tsx'
import classes from './editor.module.css'
import { elementId } from './editor-store.ts'

/** What a select of the page needs to be the field at a path of the request. */
function useSelect(path: string) {
  const { store } = useEditing()
  const { name } = useFieldWords()
  return {
    id: elementId(path),
    label: name(path),
    error: useProblem(path),
    value: String(useValue(path) ?? ''),
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => store.set(path, currentTarget.value),
  }
}

const named = (items: readonly { readonly id: string; readonly name: string }[] | undefined) => [
  { value: '', label: '–' },
  ...(items ?? []).map(({ id, name }) => ({ value: id, label: name })),
]

const useCourses = (instituteId: string) =>
  useQuery(listQuery<Course>('courses', { instituteId, pageSize: MOST_CHOICES })).data?.items

function FlowSelect({ path, kind }: { path: string; kind: Flow['documentKind'] }) {
  const flows = useQuery(listQuery<Flow>('flows', { pageSize: MOST_CHOICES })).data?.items
  const data = named(flows?.filter(({ documentKind }) => documentKind === kind))
  return <NativeSelect data={data} {...useSelect(path)} />
}

const flowKinds: Readonly<Record<MadeResource, readonly (readonly [path: string, kind: Flow['documentKind']])[]>> = {
  degrees: [
    ['flows.academicDocumentation', 'AcademicDocumentation'],
    ['flows.degree', 'Degree'],
    ['flows.academicTranscript', 'AcademicTranscript'],
  ],
  emissions: [['flowId', 'AcademicDocumentation']],
  'academic-transcripts': [['flowId', 'AcademicTranscript']],
  curriculums: [['flowId', 'Curriculum']],
}

/** Who makes it, for which course, and who signs. */
export function MakingChoices({ resource }: { resource: MadeResource }) {
  const { t } = useTranslation(['credentials-items', 'credentials-partnerships'])
  const instituteId = String(useValue('instituteId') ?? '')
  const none = t('credentials-partnerships:choose')
  const institute = useSelect('instituteId')
  const registrar = useSelect('registrarInstituteId')
  return (
    <Panel title={t('making.who')}>
      <div className={classes.fields}>
        <InstituteSelect none={none} required offered={({ kind }) => kind !== 'Registrar'} {...institute} />
        {resource === 'degrees' && (
          <InstituteSelect none="–" offered={({ kind }) => kind !== 'Issuer'} {...registrar} />
        )}
        <NativeSelect data={named(useCourses(instituteId))} {...useSelect('courseId')} />
        {flowKinds[resource].map(([path, kind]) => (
          <FlowSelect key={path} path={path} kind={kind} />
        ))}
      </div>
      {resource === 'degrees' && <TranscriptFlag />}
    </Panel>
  )
}

function TranscriptFlag() {
  const { store } = useEditing()
  const { name } = useFieldWords()
  return (
    <Checkbox
      label={name('createAcademicTranscript')}
      checked={useValue('createAcademicTranscript') !== false}
      onChange={({ currentTarget }) => store.set('createAcademicTranscript', currentTarget.checked)}
    />
  )
}

/** What the document says that nobody types here. */
export function FilledIn() {
  const { t } = useTranslation('credentials-editor')
  const instituteId = String(useValue('instituteId') ?? '')
  const courseId = useValue('courseId')
  const institutes = useQuery(listQuery<Institute>('institutes', { pageSize: MOST_CHOICES })).data?.items
  const institute = institutes?.find(({ id }) => id === instituteId)
  const course = useCourses(instituteId)?.find(({ id }) => id === courseId)
  if (!institute) return null
  return (
    <Panel title={t('filled.title')} lead={t('filled.lead')}>
      <Facts
        rows={[
          [t('filled.institute'), `${institute.name} · ${institute.code} · ${formatTaxId(institute.cnpj)}`],
          [t('filled.course'), course ? [course.name, course.emecCode].filter(Boolean).join(' · ') : t('filled.none')],
          [t('filled.codes'), t('filled.codesText')],
        ]}
      />
    </Panel>
  )
}
