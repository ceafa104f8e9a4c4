import { Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'

type AnchorProps = ButtonProps & Omit<ComponentPropsWithRef<'a'>, keyof ButtonProps>

const AnchorButton = (props: AnchorProps) => <Button component="a" {...props} />

/** A link to another page that looks like a button. */
export const LinkButton = createLink(AnchorButton)
