//! Recipes.
/// A recipe.
pub(crate) struct Recipe {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
}
/// All.
pub(crate) const RECIPES: &[Recipe] = &[];
