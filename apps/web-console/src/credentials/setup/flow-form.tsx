import { Button, NativeSelect, TextInput } from '@mantine/core'
import { ArrowUp, Plus, Trash2, UserPlus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../shared/parts/panel.tsx'
import { saveItem } from '../api/lists.ts'
import { type Flow, flowDocuments, signingPlaces } from '../api/types.ts'
import { type Draft, valueAt } from '../parts/draft.ts'
import { FormEnd } from '../parts/form-end.tsx'
import { InstituteSelect } from '../parts/institute-select.tsx'
import classes from '../parts/parts.module.css'
import { Section } from '../parts/section.tsx'
import { type DraftForm, useDraftForm } from '../parts/use-draft-form.ts'
import { nodesOf, person, raised, usualSteps } from './flow-draft.ts'

export interface FlowFormProps {
  id?: string
  draft: Draft
  /** Whether the visitor only looks. */
  readOnly?: boolean
  onSaved?: (flow: Flow) => void
}

/** Who signs what, in which order, with which certificate and at which level. */
export function FlowForm({ id, draft, readOnly = false, onSaved }: FlowFormProps) {
  const { t } = useTranslation(['credentials-setup', 'credentials'])
  const form = useDraftForm(
    draft,
    (body) => saveItem<Flow>('flows', id, body),
    ({ name }) => t('saved', { name }),
  )
  const kind = valueAt(form.draft, 'documentKind') as Flow['documentKind']

  async function submit(event: Parameters<typeof form.submit>[0]) {
    const saved = await form.submit(event)
    if (saved) onSaved?.(saved)
  }

  return (
    // The browser's own validation messages may be in another language than the page.
    <form className={classes.column} onSubmit={(event) => void submit(event)} noValidate>
      <fieldset className={classes.bare} disabled={readOnly}>
        <Panel title={t('flows.identity')}>
          <div className={classes.form}>
            <TextInput className={classes.wide!} maxLength={255} required {...form.field('name')} />
            <NativeSelect
              data={flowDocuments.map((value) => ({ value, label: t(`flows.document.${value}`) }))}
              {...form.field('documentKind')}
              onChange={({ currentTarget }) => {
                const chosen = currentTarget.value as Flow['documentKind']
                form.set('documentKind', chosen)
                form.set('steps', usualSteps(chosen))
              }}
            />
            <InstituteSelect none={t('credentials:anyInstitute')} {...form.field('instituteId')} />
            <NativeSelect
              data={signingPlaces.map((value) => ({ value, label: t(`flows.place.${value}`) }))}
              {...form.field('signedAt')}
            />
          </div>
        </Panel>
        <StepsPanel form={form} kind={kind} />
      </fieldset>
      {!readOnly && <FormEnd form={form} />}
    </form>
  )
}

function StepsPanel({ form, kind }: { form: DraftForm; kind: Flow['documentKind'] }) {
  const { t } = useTranslation('credentials-setup')
  const steps = (valueAt(form.draft, 'steps') ?? []) as readonly Draft[]
  const problem = form.problemAt('steps')
  return (
    <Panel
      title={t('flows.steps')}
      lead={t('flows.stepsLead')}
      actions={
        <Button
          variant="default"
          size="xs"
          leftSection={<Plus size={14} aria-hidden="true" />}
          onClick={() => form.set('steps', [person(nodesOf[kind][0]!), ...steps])}
        >
          {t('flows.addStep')}
        </Button>
      }
    >
      {problem && <p className={classes.problem}>{problem}</p>}
      {steps.map((_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what is typed is kept in the draft, by its place
        <StepFields key={at} form={form} kind={kind} steps={steps} at={at} />
      ))}
    </Panel>
  )
}

interface StepProps {
  form: DraftForm
  kind: Flow['documentKind']
  steps: readonly Draft[]
  at: number
}

function StepFields({ form, kind, steps, at }: StepProps) {
  const { t } = useTranslation('credentials-setup')
  const path = `steps.${at}`
  const place = at + 1
  const people = (valueAt(form.draft, `${path}.participants`) ?? []) as readonly unknown[]
  return (
    <Section title={t('flows.step', { place })} problem={form.problemAt(path)}>
      <NativeSelect
        data={nodesOf[kind].map((value) => ({ value, label: t(`flows.node.${value}`) }))}
        {...form.field(`${path}.node`)}
      />
      <NativeSelect
        data={(['eCpf', 'eCnpj'] as const).map((value) => ({ value, label: t(`flows.certificate.${value}`) }))}
        {...form.field(`${path}.certificateKind`)}
      />
      <NativeSelect data={['AD-RC', 'AD-RT', 'AD-RA']} {...form.field(`${path}.level`)} />
      <div className={classes.line}>
        {people.map((_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what is typed is kept in the draft, by its place
          <ParticipantFields key={index} form={form} path={path} at={index} isOnly={people.length === 1} />
        ))}
      </div>
      <div className={`${classes.line} ${classes.buttons}`}>
        <Button
          variant="default"
          size="xs"
          leftSection={<UserPlus size={14} aria-hidden="true" />}
          onClick={() => form.set(`${path}.participants`, [...people, {}])}
        >
          {t('flows.addPerson', { place })}
        </Button>
        {at > 0 && (
          <Button
            variant="subtle"
            size="xs"
            leftSection={<ArrowUp size={14} aria-hidden="true" />}
            onClick={() => form.set('steps', raised(steps, at))}
          >
            {t('flows.raise', { place })}
          </Button>
        )}
        {steps.length > 1 && (
          <Button
            variant="subtle"
            size="xs"
            leftSection={<Trash2 size={14} aria-hidden="true" />}
            onClick={() => form.set('steps', steps.toSpliced(at, 1))}
          >
            {t('flows.removeStep', { place })}
          </Button>
        )}
      </div>
    </Section>
  )
}

interface ParticipantProps {
  form: DraftForm
  path: string
  at: number
  isOnly: boolean
}

/** One of those who may sign at a step; a person has a position, which the document shows. */
function ParticipantFields({ form, path, at, isOnly }: ParticipantProps) {
  const { t } = useTranslation('credentials-setup')
  const field = (key: string) => form.field(`${path}.participants.${at}.${key}`)
  const isPerson = valueAt(form.draft, `${path}.certificateKind`) === 'eCpf'
  const isThere = valueAt(form.draft, 'signedAt') === 'DocumentPlatform'
  const others = (valueAt(form.draft, `${path}.participants`) ?? []) as readonly unknown[]
  return (
    <div className={classes.participant}>
      <TextInput maxLength={255} required {...field('name')} />
      <TextInput
        inputMode="numeric"
        maxLength={18}
        required
        {...field('identifier')}
        label={isPerson ? 'CPF' : 'CNPJ'}
      />
      {(isPerson || isThere) && <TextInput type="email" maxLength={254} {...field('email')} />}
      {isPerson && <TextInput maxLength={255} {...field('cargo')} />}
      {!isPerson && isThere && (
        <TextInput
          inputMode="numeric"
          maxLength={14}
          description={t('flows.representativeHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...field('representative')}
        />
      )}
      {!isOnly && (
        <Button variant="subtle" size="xs" onClick={() => form.set(`${path}.participants`, others.toSpliced(at, 1))}>
          {t('flows.removePerson', { place: at + 1 })}
        </Button>
      )}
    </div>
  )
}
