import ts from 'typescript-6'

/**
 * Gives every schema of `components` a declaration of its own, so that editors show `Room` instead of its 30 members.
 */
export function declareSchemas(nodes: readonly ts.Node[]): ts.Node[] {
  const named: ts.Node[] = []
  const visit = (node: ts.Node): ts.Node => {
    if (!ts.isInterfaceDeclaration(node) || node.name.text !== 'components') return node
    return ts.visitEachChild(node, visitComponents, undefined)
  }
  const visitComponents = (node: ts.Node): ts.Node => {
    const isSchemas = ts.isPropertySignature(node) && ts.isIdentifier(node.name) && node.name.text === 'schemas'
    if (!isSchemas || node.type === undefined) return node
    const type = ts.visitEachChild(node.type, nameSchema, undefined)
    return ts.factory.updatePropertySignature(node, node.modifiers, node.name, node.questionToken, type)
  }
  const nameSchema = (node: ts.Node): ts.Node => {
    if (!ts.isPropertySignature(node) || node.type === undefined || !ts.isIdentifier(node.name)) return node
    const { name, type } = node
    const declaration = declare(name.text, type)
    ts.setSyntheticLeadingComments(declaration, ts.getSyntheticLeadingComments(node))
    named.push(declaration)
    const reference = ts.factory.createTypeReferenceNode(name.text)
    return ts.factory.createPropertySignature(node.modifiers, name.text, node.questionToken, reference)
  }
  const visited = nodes.map(visit)
  return [...visited, ...named]
}

/** Only interfaces keep their name in every place; unions and the like become an alias. */
function declare(name: string, type: ts.TypeNode): ts.Statement {
  const modifiers = [ts.factory.createModifier(ts.SyntaxKind.ExportKeyword)]
  return ts.isTypeLiteralNode(type)
    ? ts.factory.createInterfaceDeclaration(modifiers, name, undefined, undefined, type.members)
    : ts.factory.createTypeAliasDeclaration(modifiers, name, undefined, type)
}
