import { NativeSelect, Switch, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../shared/parts/panel.tsx'
import { saveItem } from '../api/lists.ts'
import type { Course } from '../api/types.ts'
import { ActFields, AddressFields, ProcessFields } from '../parts/academic-fields.tsx'
import { type Draft, valueAt } from '../parts/draft.ts'
import { FormEnd } from '../parts/form-end.tsx'
import { InstituteSelect } from '../parts/institute-select.tsx'
import classes from '../parts/parts.module.css'
import { Section } from '../parts/section.tsx'
import { type DraftForm, useDraftForm } from '../parts/use-draft-form.ts'
import { useFieldWords } from '../parts/use-field-words.ts'
import { ListFields } from './list-fields.tsx'

export interface CourseFormProps {
  id?: string
  draft: Draft
  onSaved?: (course: Course) => void
}

/** A course, as the layouts of its documents will show it. */
export function CourseForm({ id, draft, onSaved }: CourseFormProps) {
  const { t } = useTranslation('credentials-setup')
  const form = useDraftForm(
    draft,
    (body) => saveItem<Course>('courses', id, { data: {}, ...(body as object) }),
    ({ name }) => t('saved', { name }),
  )

  async function submit(event: Parameters<typeof form.submit>[0]) {
    const saved = await form.submit(event)
    if (saved) onSaved?.(saved)
  }

  return (
    // The browser's own validation messages may be in another language than the page.
    <form className={classes.column} onSubmit={(event) => void submit(event)} noValidate>
      <CoursePanel form={form} />
      <Panel title={t('courses.place')}>
        <AddressFields form={form} path="data.enderecoCurso" />
      </Panel>
      <Panel title={t('courses.acts')}>
        <ActFields form={form} path="data.autorizacao" />
        <ActFields form={form} path="data.reconhecimento" />
        <ActFields form={form} path="data.renovacaoReconhecimento" />
      </Panel>
      <FormEnd form={form} />
    </form>
  )
}

const NOT_CHOSEN = { value: '', label: '–' }
const modalities = ['Presencial', 'EAD', 'Semipresencial']
const titles = ['Licenciado', 'Tecnólogo', 'Bacharel', 'Médico']
const levels = ['Tecnólogo', 'Bacharelado', 'Licenciatura', 'Curso sequencial']

function CoursePanel({ form }: { form: DraftForm }) {
  const { t } = useTranslation(['credentials-setup', 'credentials-partnerships'])
  const { name } = useFieldWords()
  const hasProcess = valueAt(form.draft, 'data.semCodigoCursoEMEC') !== undefined
  return (
    <Panel title={t('courses.identity')}>
      <div className={classes.form}>
        <TextInput className={classes.wide!} maxLength={255} required autoFocus {...form.field('name')} />
        <InstituteSelect none={t('credentials-partnerships:choose')} required {...form.field('instituteId')} />
        {!hasProcess && <TextInput inputMode="numeric" maxLength={20} required {...form.field('emecCode')} />}
        <NativeSelect data={[NOT_CHOSEN, ...modalities]} {...form.field('data.modalidade')} />
        <NativeSelect data={[NOT_CHOSEN, ...levels]} {...form.field('data.grauConferido')} />
        <NativeSelect data={[NOT_CHOSEN, ...titles]} {...form.field('data.tituloConferido.titulo')} />
        <TextInput
          maxLength={255}
          description={t('courses.otherTitleHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...form.field('data.tituloConferido.outroTitulo')}
        />
        <Switch
          className={classes.line!}
          label={t('courses.withoutCode')}
          checked={hasProcess}
          onChange={({ currentTarget }) => {
            form.set('emecCode', '')
            form.set('data.semCodigoCursoEMEC', currentTarget.checked ? {} : undefined)
          }}
        />
      </div>
      {hasProcess && (
        <Section title={name('semCodigoCursoEMEC')} problem={form.problemAt('data.semCodigoCursoEMEC')}>
          <ProcessFields form={form} path="data.semCodigoCursoEMEC" />
        </Section>
      )}
      <ListFields form={form} path="data.habilitacao" add={t('courses.addQualification')} fresh={{}}>
        {(path) => (
          <>
            <TextInput maxLength={255} {...form.field(`${path}.nomeHabilitacao`)} />
            <TextInput type="date" {...form.field(`${path}.dataHabilitacao`)} />
          </>
        )}
      </ListFields>
      <ListFields form={form} path="data.enfase" add={t('courses.addEmphasis')} fresh="">
        {(path) => <TextInput maxLength={255} {...form.field(path)} label={t('courses.emphasis')} />}
      </ListFields>
    </Panel>
  )
}
