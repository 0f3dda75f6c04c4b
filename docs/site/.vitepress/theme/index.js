import { onContentUpdated } from "vitepress";
import Theme from "vitepress/theme-without-fonts";
import "./site.css";

export default {
  extends: Theme,
  setup() {
    // Screen readers need a landmark, which the theme gives to all pages but the first.
    onContentUpdated(() => document.querySelector(".VPHome")?.setAttribute("role", "main"));
  },
};
