/** `rest`: parts of the path after the section's name, such as a booking id. */
export type SectionProps = { readonly rest: readonly string[] }
